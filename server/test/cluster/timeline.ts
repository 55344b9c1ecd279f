export const kinds = ['login', 'check', 'list', 'enter', 'chat', 'register', 'withdraw'] as const;
export type Kind = (typeof kinds)[number];

/**
 * error: a clean refusal that asks to retry. unanswered: nothing arrived in time. unclean: not the uniform problem. wrong: an
 * untrue answer, such as 401 for a right password.
 */
export type Outcome = 'ok' | 'error' | 'unanswered' | 'unclean' | 'wrong';

export interface CompletedRequest {
  readonly kind: Kind;
  /** Milliseconds since the load began. */
  readonly from: number;
  readonly to: number;
  readonly outcome: Outcome;
  /** What arrived instead, if not ok. */
  readonly note?: string | undefined;
}

export interface Window {
  readonly fault: string;
  readonly from: number;
  readonly to: number;
}

/** Returns the times of good answers of this kind, in order. */
export function goodTimes(requests: readonly CompletedRequest[], kind: Kind): number[] {
  return requests
    .filter((each) => each.kind === kind && each.outcome === 'ok')
    .map((each) => each.to)
    .toSorted((a, b) => a - b);
}

/** Returns the longest time without a good answer whose middle is in the window. */
export function longestGap(times: readonly number[], { from, to }: Window): number {
  let longest = 0;
  let last = 0;
  for (const time of [...times, Math.max(to, times.at(-1) ?? 0)]) {
    const middle = (last + time) / 2;
    if (middle > from && middle <= to) longest = Math.max(longest, time - last);
    last = time;
  }
  return longest;
}

/** Returns requests that began in the window and failed; those that began earlier may have met an earlier fault. */
export function failuresIn(requests: readonly CompletedRequest[], { from, to }: Window): CompletedRequest[] {
  return requests.filter((each) => each.outcome !== 'ok' && each.from >= from && each.from <= to);
}

/** Returns the time of the last answer. There are too many for `Math.max(...)`. */
export function endOf(requests: readonly CompletedRequest[]): number {
  return requests.reduce((end, { to }) => Math.max(end, to), 0);
}
