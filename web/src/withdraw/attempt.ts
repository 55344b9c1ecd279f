import type { BodyOf, routes, WithdrawState } from '@gatehouse/contract/player';
import type { Failure } from '../api/failure.ts';
import { sessionValue } from '../ui/browser-storage.ts';

/** What is to be withdrawn; the code that confirms it is not part of it, and never stored. */
export type WithdrawOrder = Omit<BodyOf<typeof routes.withdraw>, 'code'>;

/** A withdrawal the player confirmed and whose end is not known yet. It outlives a reload and a new login. */
export interface Attempt {
  readonly key: string;
  readonly account: string;
  readonly order: WithdrawOrder;
  readonly roleName: string;
  /** `draft`: certainly not taken up. `sent`: it may have been. `accepted`: the history tells the rest. */
  readonly stage: 'draft' | 'sent' | 'accepted';
  readonly withdrawId?: string;
}

const stored = sessionValue('gatehouse.withdraw');

export const attempts = {
  /** The open attempt of this account; another player's on the same tab is not shown. */
  open(account: string): Attempt | null {
    const attempt = parsed(stored.get());
    return attempt?.account === account ? attempt : null;
  },

  /** One key per attempt: the same order sent again while it is open keeps its key, so it is never taken twice. */
  begin(account: string, order: WithdrawOrder, roleName: string): Attempt {
    const before = attempts.open(account);
    const key = before && sameOrder(before.order, order) ? before.key : newKey();
    return attempts.save({ key, account, order, roleName, stage: 'sent' });
  },

  save(attempt: Attempt): Attempt {
    stored.set(JSON.stringify(attempt));
    return attempt;
  },

  close: () => stored.remove(),
};

// Refused before the order was processed.
const untaken = new Set<string>([
  'invalid_token',
  'second_factor_required',
  'invalid_credentials',
  'account_suspended',
  'address_denied',
  'too_many_attempts',
]);

/** What a failure says of the attempt: refused for good, never processed, or unknown. */
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

/** randomUUID exists only on https and localhost; a deployment on plain http still needs a key. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
