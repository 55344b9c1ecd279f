import { nonceStore } from '../../../db/nonce-store.ts';
import type { Db } from '../../../db/open.ts';
import { insertedNew } from '../../../db/unchanged.ts';
import type { ZoneReport } from '../withdrawal.ts';

export interface KeptZoneReport extends ZoneReport {
  readonly at: number;
}

/** A day without withdrawals has no rows, so it is recorded as a nonce of this kind. */
const EMPTY_DAY = 'reconciled_day';
/** Longer than the period for which missed days are caught up. */
const MARK_LIFETIME_MS = 60 * 24 * 3600 * 1000;

/** The results of the nightly reconciliation. */
export function reconciliationStore(db: Db) {
  return {
    /** Stores the rows of a day once. The snapshot of that night is never rewritten. */
    async keep(day: string, lines: readonly ZoneReport[]): Promise<void> {
      if (lines.length === 0) {
        await nonceStore(db).use(EMPTY_DAY, day, MARK_LIFETIME_MS);
        return;
      }
      const rows = lines.map((line) => ({ day, ...line }));
      await db.kysely.insertInto('reconciliation').values(rows).$call(insertedNew);
    },

    /** Returns the last reconciled day before this one. */
    async lastDayBefore(day: string): Promise<string | undefined> {
      const withLines = db.kysely.selectFrom('reconciliation').select('day').where('day', '<', day);
      const empty = db.kysely
        .selectFrom('used_once')
        .select('key as day')
        .where('kind', '=', EMPTY_DAY)
        .where('key', '<', day);
      const last = await Promise.all([
        withLines.orderBy('day', 'desc').limit(1).executeTakeFirst(),
        empty.orderBy('key', 'desc').limit(1).executeTakeFirst(),
      ]);
      return (
        last
          .map((row) => row?.day ?? '')
          .sort()
          .at(-1) || undefined
      );
    },

    async ofDay(day: string): Promise<KeptZoneReport[]> {
      const rows = await db.kysely
        .selectFrom('reconciliation')
        .selectAll()
        .where('day', '=', day)
        .orderBy('server_id')
        .execute();
      return rows.map(({ day: _day, created_at: at, ...line }) => ({ ...line, at }));
    },
  };
}

export type ReconciliationStore = ReturnType<typeof reconciliationStore>;
