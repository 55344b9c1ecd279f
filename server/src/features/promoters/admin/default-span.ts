import type { Span } from './list.ts';

const DEFAULT_MS = 30 * 24 * 3_600_000;

/** The span that was asked for; the last 30 days where it is left out. */
export function spanOf({ from, to }: { from?: string; to?: string }): Span {
  const until = to === undefined ? Date.now() : Date.parse(to);
  return { from: from === undefined ? until - DEFAULT_MS : Date.parse(from), to: until };
}
