import type { Problem, RefusalCode } from './contract/player.ts';

/**
 * `unreachable`: no answer, or only a part of one. `timeout` and `aborted`: no answer yet; a change may have been made.
 * `invalid_signature`: a GM command or webhook that the service did not send.
 */
export type ErrorCode = RefusalCode | 'unreachable' | 'timeout' | 'aborted' | 'invalid_signature';

/** Details of an error. */
export interface ErrorDetails {
  readonly status?: number;
  readonly problem?: Problem | undefined;
  readonly retryAfter?: number | null;
  readonly cause?: unknown;
  /** Text after the code in `message`, if there is no `problem`. */
  readonly detail?: string;
}

/** The error of every failed call. Decide by `code`. */
export class GatehouseError extends Error {
  readonly code: ErrorCode;
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  /** The service's refusal with its texts, in the language of the client; undefined if something else failed. */
  readonly problem: Problem | undefined;
  /** Seconds to wait before the next try, if the service says so. */
  readonly retryAfter: number | null;

  constructor(code: ErrorCode, { status = 0, problem, retryAfter = null, cause, detail }: ErrorDetails = {}) {
    const text = problem?.detail ?? detail;
    super(text ? `${code}: ${text}` : code, { cause });
    this.name = 'GatehouseError';
    this.code = code;
    this.status = status;
    this.problem = problem;
    this.retryAfter = retryAfter;
  }

  /** What `loginSecondFactor` needs after `second_factor_required`. */
  get secondFactorChallenge(): string | null {
    const challenge = this.problem?.challenge;
    return typeof challenge === 'string' ? challenge : null;
  }
}

/** Reads a refusal. Anything else, such as the HTML of a proxy, means that the service is down. */
export async function errorFrom(response: Response): Promise<GatehouseError> {
  const { status, headers } = response;
  const isProblem = headers.get('content-type')?.includes('application/problem+json');
  const body: unknown = isProblem ? await response.json().catch(() => undefined) : undefined;
  const problem = body as Problem | undefined;
  const retryAfter = secondsOf(headers.get('retry-after'));
  return new GatehouseError(problem?.code ?? 'unavailable', { status, problem, retryAfter });
}

function secondsOf(retryAfter: string | null): number | null {
  if (retryAfter === null) return null;
  const seconds = Number(retryAfter);
  if (Number.isFinite(seconds)) return Math.max(0, Math.ceil(seconds));
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}
