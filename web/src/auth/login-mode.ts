export type LoginMode = 'login' | 'register' | 'reset';

/** Returns the login page's mode from the `mode` in its URL. */
export const loginMode = (wanted: unknown): LoginMode =>
  wanted === 'register' || wanted === 'reset' ? wanted : 'login';
