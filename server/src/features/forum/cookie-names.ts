/** One cookie per login, so that two tabs do not conflict. */
export const cookieNames = {
  /** Between authorize and callback. */
  state: (state: string) => `forum_${state.slice(0, 8)}`,
  /** Between callback and bind. */
  ticket: (ticket: string) => `forum_bind_${ticket.slice(0, 8)}`,
};

const STATE_COOKIE = /^forum_[\w-]{8}$/;

/** Reports whether the cookie may be ours. Browsers can be made to send any name, even one that no header may hold. */
export const isStateCookie = (name: string): boolean => STATE_COOKIE.test(name);
