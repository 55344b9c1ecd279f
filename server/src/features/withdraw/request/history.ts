import type { AnswerOf, QueryOf, routes, WithdrawRecord } from '@gatehouse/contract';
import { decodeCursor, encodeCursor, pageOf } from '../../../http/paging.ts';
import { dayIn, timeText } from '../../../runtime/time.ts';
import type { WithdrawDeps } from '../deps.ts';
import type { Withdrawal } from '../withdrawal.ts';

const DEFAULT_LIMIT = 20;

export type HistoryPage = AnswerOf<typeof routes.withdrawals>;

/**
 * Returns a player's own withdrawals, newest first. Pages start after the last record of the previous page, so new withdrawals
 * shift nothing.
 */
export function history({ reports, settings }: WithdrawDeps) {
  async function dayOf(playerId: number): Promise<NonNullable<HistoryPage['day']>> {
    const { time_zone, withdraw } = settings.current;
    const used = await reports.usedOn(playerId, dayIn(time_zone).day);
    return { used, left: withdraw.daily_max === 0 ? null : Math.max(0, withdraw.daily_max - used) };
  }

  return async (playerId: number, page: QueryOf<typeof routes.withdrawals>): Promise<HistoryPage> => {
    const { limit = DEFAULT_LIMIT, next: cursor } = page;
    const after = cursor === undefined ? undefined : decodeCursor(cursor, ['number', 'string'], 'next');
    const found = await reports.ofPlayer(playerId, { after, limit: limit + 1 });
    const { entries, next } = pageOf(found, limit, ({ createdAt, id }) => [createdAt, id]);
    return {
      withdrawals: entries.map(toRecord),
      next: next ? encodeCursor(next) : null,
      ...(page.include === 'day' && { day: await dayOf(playerId) }),
    };
  };
}

function toRecord(withdrawal: Withdrawal): WithdrawRecord {
  const { id, state, serverId, role, roleId, roleName, amount, createdAt, updatedAt } = withdrawal;
  return {
    withdraw_id: id,
    state,
    server_id: serverId,
    role: roleName ?? String(role),
    role_id: roleId,
    amount,
    created_at: timeText(createdAt),
    updated_at: timeText(updatedAt),
  };
}
