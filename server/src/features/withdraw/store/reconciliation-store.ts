import { classify } from '../../../db/errors.ts';
import type { Db } from '../../../db/open.ts';
import type { ZoneReport } from '../withdrawal.ts';

export interface KeptZoneReport extends ZoneReport {
  readonly at: number;
}

/** What the nightly reconciliation found. */
export function reconciliationStore(db: Db) {
  return {
    /** Kept once: what a day looked like that night is not rewritten. */
    async keep(day: string, lines: readonly ZoneReport[]): Promise<void> {
      if (lines.length === 0) return;
      try {
        const rows = lines.map((line) => ({ day, ...line }));
        await db.kysely.insertInto('reconciliation').values(rows).execute();
      } catch (error) {
        if (classify(error) !== 'duplicate') throw error;
      }
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
