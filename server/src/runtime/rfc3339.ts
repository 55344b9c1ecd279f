/** Times as the API writes them. */
export const timeText = (ms: number): string => new Date(ms).toISOString();

export const timeTextOrNull = (ms: number | null): string | null => (ms === null ? null : timeText(ms));
