import type { Actor } from '../../audit/entry.ts';
import type { AuditStore } from '../../audit/store.ts';
import type { ListedRecord, ListStore, WithdrawFilter, WithdrawPage } from '../store/list-store.ts';

export interface WithdrawQuery extends Omit<WithdrawFilter, 'playerId'> {
  readonly playerId?: number | undefined;
  readonly account?: string | undefined;
}

/** Newest first. */
export function listWithdrawals({ lists }: { lists: Pick<ListStore, 'list' | 'playerIdOf'> }) {
  return async ({ account, ...filter }: WithdrawQuery, page: WithdrawPage): Promise<ListedRecord[]> => {
    if (account === undefined) return lists.list(filter, page);
    const playerId = await lists.playerIdOf(account);
    return playerId === undefined ? [] : lists.list({ ...filter, playerId }, page);
  };
}

/** Records that the list was handed out as a file. */
export function recordExport({ audit }: { audit: Pick<AuditStore, 'transaction'> }) {
  return (actor: Actor, filter: object): Promise<string> =>
    audit.transaction((_trx, append) =>
      append({ actor, action: 'export', subject: { kind: 'list', id: 'withdrawals' }, after: filter }),
    );
}
