import type { AnswerOf } from '@gatehouse/contract';
import type { adminRoutes } from '@gatehouse/contract/admin';
import type { Db } from '../../../db/open.ts';
import { type LocalTime, localTime, timeText } from '../../../runtime/time.ts';
import { type LegacyStore, legacyStore } from '../store.ts';

export function openLegacyAdmin({ db, timeZone }: { readonly db: Db; readonly timeZone: string }) {
  const time: LocalTime = localTime(timeZone);
  return { report: legacyReport({ legacy: legacyStore(db), time }) };
}

export type LegacyAdmin = ReturnType<typeof openLegacyAdmin>;

const DAYS = 90;
const LAST = 20;

type LegacyReport = AnswerOf<typeof adminRoutes.legacy>;

interface ReportDeps {
  readonly legacy: Pick<LegacyStore, 'accountsByDay' | 'lastSeen'>;
  readonly time: LocalTime;
}

/** Reports who still uses md5 tokens: accounts per day and zone of last entry, and the most recent ones. */
export function legacyReport({ legacy, time }: ReportDeps) {
  return async (zones: readonly number[] | null): Promise<LegacyReport> => {
    const [since = ''] = time.lastDays(DAYS);
    const counts = await legacy.accountsByDay(since, zones);
    const last = await legacy.lastSeen(LAST, zones);
    return {
      days: [...Map.groupBy(counts, ({ day }) => day)].map(([day, rows]) => ({
        day,
        accounts: rows.reduce((sum, { n }) => sum + n, 0),
        zones: rows.map(({ serverId, n }) => ({ server_id: serverId || null, accounts: n })),
      })),
      last: last.map(({ account, playerId, seenAt, serverId }) => ({
        account,
        player_id: playerId,
        seen_at: timeText(seenAt),
        server_id: serverId,
      })),
    };
  };
}
