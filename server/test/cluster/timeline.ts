export const kinds = ['login', 'check', 'list', 'enter', 'chat', 'register', 'withdraw'] as const;
export type Kind = (typeof kinds)[number];

/**
 * error: a clean refusal that asks to come again. unanswered: nothing came in time. unclean: not the uniform problem.
 * wrong: an answer that is not true, such as 401 for a right password.
 */
export type Outcome = 'ok' | 'error' | 'unanswered' | 'unclean' | 'wrong';

export interface CompletedRequest {
  readonly kind: Kind;
  /** Milliseconds since the load began. */
  readonly from: number;
  readonly to: number;
  readonly outcome: Outcome;
  /** What came instead, where it was not ok. */
  readonly note?: string | undefined;
}

export interface Window {
  readonly fault: string;
  readonly from: number;
  readonly to: number;
}

/** When the good answers of this kind came, in order. */
export function goodTimes(requests: readonly CompletedRequest[], kind: Kind): number[] {
  return requests
    .filter((each) => each.kind === kind && each.outcome === 'ok')
    .map((each) => each.to)
    .toSorted((a, b) => a - b);
}

/** The longest time without a good answer whose middle lies in the window. */
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

/** What began in the window and did not end well; what began before it may have met an earlier fault. */
export function failuresIn(requests: readonly CompletedRequest[], { from, to }: Window): CompletedRequest[] {
  return requests.filter((each) => each.outcome !== 'ok' && each.from >= from && each.from <= to);
}

/** When the last answer came. There are too many of them for the arguments of one call. */
export function endOf(requests: readonly CompletedRequest[]): number {
  return requests.reduce((end, { to }) => Math.max(end, to), 0);
}
