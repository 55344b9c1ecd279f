/** Those that need somebody first. */
export const withdrawStates = ['unknown', 'accepted', 'sending', 'done', 'failed', 'refused'] as const;
