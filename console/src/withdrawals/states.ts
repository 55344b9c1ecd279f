/** States that need attention first. */
export const withdrawStates = ['unknown', 'accepted', 'sending', 'done', 'failed', 'refused'] as const;
