/** One cookie per login, so that two tabs do not stand in each other's way. */
export const cookieNames = {
  /** Between authorize and callback. */
  state: (state: string) => `forum_${state.slice(0, 8)}`,
  /** Between callback and bind. */
  ticket: (ticket: string) => `forum_bind_${ticket.slice(0, 8)}`,
};

const STATE_COOKIE = /^forum_[\w-]{8}$/;

/** Whether we may have set it: a browser can be made to send any name, also one that no header may hold. */
export const isStateCookie = (name: string): boolean => STATE_COOKIE.test(name);
