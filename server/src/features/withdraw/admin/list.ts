import type { ListStore, WithdrawFilter, WithdrawPage } from '../store/list-store.ts';
import type { Withdrawal } from '../withdrawal.ts';

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
