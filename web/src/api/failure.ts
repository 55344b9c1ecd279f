import type { Problem } from '@gatehouse/contract/player';

/** Why a call failed: refused, service down, or not reached. */
export type Failure =
  | { readonly kind: 'refused'; readonly problem: Problem; readonly retryAfter: number | null }
  | { readonly kind: 'down' }
  | { readonly kind: 'offline' };

export class ApiError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.kind === 'refused' ? failure.problem.code : failure.kind);
    this.name = 'ApiError';
    this.failure = failure;
  }
}

/** Returns the failure of an ApiError; rethrows anything else as a bug of the page. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ApiError) return error.failure;
  throw error;
}

/** Returns the challenge for the second step of a login, or null if none is needed. */
export function secondFactorChallenge(failure: Failure): string | null {
  const challenge = failure.kind === 'refused' ? failure.problem.challenge : undefined;
  return typeof challenge === 'string' ? challenge : null;
}

/** The account that a forum login has to confirm with its password; null where the failure asks for none. */
export function linkedAccount(failure: Failure): string | null {
  return (failure.kind === 'refused' && failure.problem.account) || null;
}

export async function failureFrom(response: Response): Promise<Failure> {
  const problem = await readProblem(response);
  if (!problem || problem.code === 'internal' || problem.code === 'unavailable') return { kind: 'down' };
  return { kind: 'refused', problem, retryAfter: secondsOf(response.headers.get('retry-after')) };
}

async function readProblem(response: Response): Promise<Problem | null> {
  // A proxy in front answers HTML when the service is down.
  if (!response.headers.get('content-type')?.includes('application/problem+json')) return null;
  return response.json().catch(() => null);
}

function secondsOf(retryAfter: string | null): number | null {
  if (retryAfter === null) return null;
  const seconds = Number(retryAfter);
  if (Number.isFinite(seconds)) return Math.max(0, Math.ceil(seconds));
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}
