import type { WithdrawState } from '@gatehouse/contract';
import type { Selectable } from 'kysely';
import type { Database } from '../../../db/schema.ts';
import type { ListStore, Owner, WithdrawFilter, WithdrawPage } from '../store/list-store.ts';
import type { Withdrawal } from '../withdrawal.ts';
import { type OperatorsWithdrawal, requireOwn, type WithdrawAdminDeps } from './repoint.ts';
import { takesTwoPeople } from './settle.ts';

export type ShownEvent = ReturnType<typeof shownEvent>;

/** A withdrawal and the evidence of its outcome. */
export interface ShownWithdrawal {
  readonly withdrawal: ListedRecord;
  readonly twoPeople: boolean;
  readonly owner: Owner | undefined;
  readonly events: readonly ShownEvent[];
  /** The game server's answer to the command. */
  readonly gmAnswer: ShownEvent | undefined;
  /** The receipt that settled it. */
  readonly receipt: ShownEvent | undefined;
  readonly ofSameRole: readonly ListedRecord[];
}

const OTHERS = 20;

export function showWithdrawal({ store, reports, lists, settings }: WithdrawAdminDeps) {
  const listed = withAccounts({ lists });
  return async (wanted: OperatorsWithdrawal): Promise<ShownWithdrawal> => {
    const withdrawal = requireOwn(await store.find(wanted.id), wanted);
    const [owner, rows, ofSameRole] = await Promise.all([
      lists.owner(withdrawal.playerId),
      reports.events(withdrawal.id),
      lists.ofSameRole(withdrawal, OTHERS).then(listed),
    ]);
    const events = rows.map(shownEvent);
    return {
      withdrawal: { ...withdrawal, account: owner?.account ?? null },
      twoPeople: takesTwoPeople(settings.current, withdrawal),
      owner,
      events,
      gmAnswer: events.findLast((event) => isExchange(event) && !isReceipt(event)),
      receipt: events.findLast(isReceipt),
      ofSameRole,
    };
  };
}

const shownEvent = (row: Selectable<Database['withdraw_event']>) => ({
  seq: row.seq,
  at: row.at,
  from: row.from_state as WithdrawState | null,
  to: row.to_state as WithdrawState,
  why: row.why,
  actor: row.actor,
  detail: row.detail === null ? null : readDetail(row.detail),
});

const isReceipt = ({ why }: ShownEvent) => why.startsWith('receipt: ');
const isExchange = ({ detail }: ShownEvent) =>
  typeof detail === 'object' && detail !== null && 'asked' in detail;

/** Returns the text itself if it is not JSON: events written by hand can hold anything. */
function readDetail(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export interface WithdrawQuery extends WithdrawFilter {
  readonly account?: string | undefined;
}

/** A withdrawal with its account, which is null if the account no longer exists. */
export interface ListedRecord extends Withdrawal {
  readonly account: string | null;
}

/** Looks the accounts up separately: with a join, MariaDB sorts the whole table for a long page. */
export function withAccounts({ lists }: { lists: Pick<ListStore, 'accountsOf'> }) {
  return async (withdrawals: readonly Withdrawal[]): Promise<ListedRecord[]> => {
    const playerIds = [...new Set(withdrawals.map(({ playerId }) => playerId))];
    const accounts = await lists.accountsOf(playerIds);
    return withdrawals.map((each) => ({ ...each, account: accounts.get(each.playerId) ?? null }));
  };
}

/** Returns withdrawals newest first. */
export function listWithdrawals({ lists }: { lists: ListStore }) {
  const listed = withAccounts({ lists });
  return async ({ account, ...filter }: WithdrawQuery, page: WithdrawPage): Promise<ListedRecord[]> => {
    if (account === undefined) return listed(await lists.list(filter, page));
    const playerId = await lists.playerIdOf(account);
    return playerId === undefined ? [] : listed(await lists.list({ ...filter, playerId }, page));
  };
}
