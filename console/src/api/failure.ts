import type { AdminProblem } from '@gatehouse/contract/admin';

/** Why a call failed: refused, service down, or not reached. */
export type Failure =
  | { readonly kind: 'refused'; readonly problem: AdminProblem; readonly retryAfter: number | null }
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

/** Returns the code of a refusal; undefined for other failures. */
export const codeOf = (failure: Failure | null) =>
  failure?.kind === 'refused' ? failure.problem.code : undefined;

export async function failureFrom(response: Response): Promise<Failure> {
  // A proxy in front answers HTML when the service is down.
  const isProblem = response.headers.get('content-type')?.includes('application/problem+json');
  const problem: AdminProblem | null = isProblem ? await response.json().catch(() => null) : null;
  if (!problem || problem.code === 'internal' || problem.code === 'unavailable') return { kind: 'down' };
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  return { kind: 'refused', problem, retryAfter: Number.isFinite(retryAfter) ? Math.ceil(retryAfter) : null };
}
