import type { BodyOf, routes, WithdrawState } from '@gatehouse/contract/player';
import type { Failure } from '../api/failure.ts';
import { sessionValue } from '../ui/browser-storage.ts';

/** A withdrawal request, without the confirmation code, which is never stored. */
export type WithdrawOrder = Omit<BodyOf<typeof routes.withdraw>, 'code'>;

/** A withdrawal that the player confirmed and whose outcome is unknown. It outlives a reload and a new login. */
export interface Attempt {
  readonly key: string;
  readonly account: string;
  readonly order: WithdrawOrder;
  readonly roleName: string;
  /** `draft`: certainly not processed. `sent`: possibly processed. `accepted`: the history shows the outcome. */
  readonly stage: 'draft' | 'sent' | 'accepted';
  readonly withdrawId?: string;
}

const stored = sessionValue('gatehouse.withdraw');

export const attempts = {
  /** Returns the open attempt of this account; another player's on the same tab is not shown. */
  open(account: string): Attempt | null {
    const attempt = parsed(stored.get());
    return attempt?.account === account ? attempt : null;
  },

  /**
   * Uses one idempotency key per attempt: the same order sent again while open keeps its key, so it is never executed twice.
   * `shown` is the attempt of the page. It may no longer be stored: if the player left during the request and came back, the late
   * answer goes to the page they left, which closes it.
   */
  begin(account: string, order: WithdrawOrder, roleName: string, shown: Attempt | null): Attempt {
    const before = [shown, attempts.open(account)].find((one) => one && sameOrder(one.order, order));
    return save({ key: before?.key ?? newKey(), account, order, roleName, stage: 'sent' });
  },

  /** Stores a new stage, unless the attempt is closed: a late answer must not replace a newer attempt. */
  update(attempt: Attempt): Attempt {
    return isStored(attempt) ? save(attempt) : attempt;
  },

  close(attempt: Attempt) {
    if (isStored(attempt)) stored.remove();
  },
};

function save(attempt: Attempt): Attempt {
  stored.set(JSON.stringify(attempt));
  return attempt;
}

const isStored = ({ key }: Attempt) => parsed(stored.get())?.key === key;

// Refused before the order was processed.
const untaken = new Set<string>([
  'invalid_token',
  'second_factor_required',
  'invalid_credentials',
  'account_suspended',
  'address_denied',
  'too_many_attempts',
]);

/** Classifies a failure: finally refused, never processed, or unknown. */
export function verdict(failure: Failure): 'final' | 'untaken' | 'open' {
  if (failure.kind !== 'refused') return 'open';
  return untaken.has(failure.problem.code) ? 'untaken' : 'final';
}

export const isSettled = (state: WithdrawState) =>
  state === 'done' || state === 'refused' || state === 'failed';

function sameOrder(a: WithdrawOrder, b: WithdrawOrder): boolean {
  return a.server_id === b.server_id && a.role === b.role && a.amount === b.amount;
}

function parsed(text: string | null): Attempt | null {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** randomUUID exists only on https and localhost; plain http deployments need a key too. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
