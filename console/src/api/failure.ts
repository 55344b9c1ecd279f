import type { AdminProblem } from '@gatehouse/contract/admin';

/** Why a call did not succeed: the service said no, the service is in trouble, or it was not reached. */
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

/** What a caught value means to the operator; anything that is not ours is a fault of the page itself. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ApiError) return error.failure;
  throw error;
}

/** The code of a refusal; undefined where the service did not refuse. */
export const codeOf = (failure: Failure | null) =>
  failure?.kind === 'refused' ? failure.problem.code : undefined;

export async function failureFrom(response: Response): Promise<Failure> {
  // A proxy in front answers HTML when the service is away.
  const isProblem = response.headers.get('content-type')?.includes('application/problem+json');
  const problem: AdminProblem | null = isProblem ? await response.json().catch(() => null) : null;
  if (!problem || problem.code === 'internal' || problem.code === 'unavailable') return { kind: 'down' };
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  return { kind: 'refused', problem, retryAfter: Number.isFinite(retryAfter) ? Math.ceil(retryAfter) : null };
}
