import { GatehouseError, type Problem } from '@gatehouse/client';

/** Why a call failed: refused, service down, or not reached. */
export type Failure =
  | { readonly kind: 'refused'; readonly problem: Problem; readonly retryAfter: number | null }
  | { readonly kind: 'down' }
  | { readonly kind: 'offline' };

/** Returns what the error of a call means; rethrows anything else as a bug of the page. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof GatehouseError)) throw error;
  const { code, problem, retryAfter } = error;
  if (code === 'unreachable' || code === 'timeout' || code === 'aborted') return { kind: 'offline' };
  if (!problem || code === 'internal' || code === 'unavailable') return { kind: 'down' };
  return { kind: 'refused', problem, retryAfter };
}

/** The account that a forum login has to confirm with its password; null if the failure asks for none. */
export function linkedAccount(failure: Failure): string | null {
  return (failure.kind === 'refused' && failure.problem.account) || null;
}
