import { parseTime } from '../../../runtime/time.ts';
import type { Span } from './list.ts';

const DEFAULT_MS = 30 * 24 * 3_600_000;

/** Returns the requested span; defaults to the last 30 days. */
export function spanOf({ from, to }: { from?: string; to?: string }): Span {
  const until = parseTime(to) ?? Date.now();
  return { from: parseTime(from) ?? until - DEFAULT_MS, to: until };
}
