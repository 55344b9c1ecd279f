export type LoginMode = 'login' | 'register' | 'reset';

/** What the login page is for, by the `mode` in its address. */
export const loginMode = (wanted: unknown): LoginMode =>
  wanted === 'register' || wanted === 'reset' ? wanted : 'login';
