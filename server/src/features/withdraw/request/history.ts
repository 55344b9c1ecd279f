import type { AnswerOf, QueryOf, routes, WithdrawRecord } from '@gatehouse/contract';
import { Refusal } from '../../../refusal.ts';
import { dayIn } from '../../../runtime/day.ts';
import type { LiveSettings } from '../../../settings/live.ts';
import type { ReportStore } from '../store/report-store.ts';
import type { Withdrawal } from '../withdrawal.ts';

const DEFAULT_LIMIT = 20;

export type HistoryPage = AnswerOf<typeof routes.withdrawals>;

interface Parts {
  readonly reports: ReportStore;
  readonly settings: LiveSettings;
}

/**
 * Returns a player's own withdrawals, newest first. Pages start after the last record of the previous page, so new withdrawals
 * shift nothing.
 */
export function history({ reports, settings }: Parts) {
  async function dayOf(playerId: number): Promise<NonNullable<HistoryPage['day']>> {
    const { time_zone, withdraw } = settings.current;
    const used = await reports.usedOn(playerId, dayIn(time_zone).day);
    return { used, left: withdraw.daily_max === 0 ? null : Math.max(0, withdraw.daily_max - used) };
  }

  return async (playerId: number, page: QueryOf<typeof routes.withdrawals>): Promise<HistoryPage> => {
    const limit = page.limit ?? DEFAULT_LIMIT;
    const after = page.next === undefined ? undefined : readCursor(page.next);
    const found = await reports.ofPlayer(playerId, { after, limit: limit + 1 });
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    return {
      withdrawals: shown.map(toRecord),
      next: last && found.length > limit ? cursorOf(last) : null,
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
    created_at: new Date(createdAt).toISOString(),
    updated_at: new Date(updatedAt).toISOString(),
  };
}

function cursorOf({ createdAt, id }: Withdrawal): string {
  return Buffer.from(`${createdAt}:${id}`).toString('base64url');
}

function readCursor(next: string): { createdAt: number; id: string } {
  const [, createdAt, id] = /^(\d{1,15}):(.{1,36})$/s.exec(Buffer.from(next, 'base64url').toString()) ?? [];
  if (createdAt === undefined || id === undefined)
    throw new Refusal('invalid_request', { errors: [{ field: 'next', message: 'unfit' }] });
  return { createdAt: Number(createdAt), id };
}
