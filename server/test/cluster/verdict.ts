import type { Answer } from './client.ts';
import type { Outcome } from './timeline.ts';

export interface Verdict {
  readonly outcome: Outcome;
  readonly note?: string | undefined;
}

interface Expected {
  readonly status: readonly number[];
  /** Refusals that are true. */
  readonly codes?: readonly string[];
  readonly fits?: (body: Answer['body']) => boolean;
}

/** During a fault a request may be unanswered or refused for now, but never get an untrue answer. */
export function judgeAnswer(answer: Answer | undefined, expected: Expected): Verdict {
  if (answer === undefined) return { outcome: 'unanswered' };
  const { status, body, isUniform } = answer;
  const note = `${status} ${String(body.code ?? JSON.stringify(body).slice(0, 200))}`;
  if (expected.status.includes(status))
    return (expected.fits?.(body) ?? true) ? { outcome: 'ok' } : { outcome: 'wrong', note };
  if (!isUniform) return { outcome: 'unclean', note };
  if (expected.codes?.includes(String(body.code))) return { outcome: 'ok', note };
  return { outcome: status === 429 || status >= 500 ? 'error' : 'wrong', note };
}
