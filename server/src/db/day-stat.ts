import { sql } from 'kysely';
import type { Engine } from './open.ts';
import type { Trx } from './transaction.ts';

/** Daily figures stored as sums. */
export type StatName =
  | 'registrations'
  | 'registrations_by_hour'
  | 'registrations_by_promoter'
  | 'logins'
  | 'logins_by_hour'
  | 'players'
  | 'players_by_hour'
  | 'entries'
  | 'entries_by_hour'
  | 'withdrawn_done'
  | 'withdrawn_amount'
  | 'withdrawn_amount_by_hour'
  | 'withdrawn_failed'
  | 'legacy_checks'
  | 'retired_hits';

export interface StatCell {
  readonly name: StatName;
  readonly day: string;
  /** 0 if the figure has no zone. */
  readonly serverId: number;
  /** The hour, promoter or retired entry, for figures broken down by one. */
  readonly part: number;
  readonly n: number;
}

/** The source of the registrations in `stat_cursor`, and its sums. */
export const REGISTRATIONS = {
  source: 'player',
  sums: ['registrations', 'registrations_by_hour', 'registrations_by_promoter'],
} as const satisfies { source: string; sums: readonly StatName[] };

const MAX_ROWS = 500;

/** Adds to the sums, creating missing ones. Rows are in key order, so that all instances lock them in the same order. */
export async function addToDayStat(engine: Engine, trx: Trx, cells: readonly StatCell[]): Promise<void> {
  const rows = mergeCells(cells).map(({ serverId, ...cell }) => ({ ...cell, server_id: serverId }));
  for (let start = 0; start < rows.length; start += MAX_ROWS) {
    const insert = trx.insertInto('day_stat').values(rows.slice(start, start + MAX_ROWS));
    const upsert =
      engine === 'mysql'
        ? insert.onDuplicateKeyUpdate({ n: sql`n + values(n)` })
        : insert.onConflict((conflict) =>
            conflict
              .columns(['name', 'day', 'server_id', 'part'])
              .doUpdateSet({ n: sql`day_stat.n + excluded.n` }),
          );
    await upsert.execute();
  }
}

/**
 * Starts the sums of registrations over, in the transaction that adds players with registration times of the past. The position
 * changes even if nothing has been summed, so that a batch read before these players existed is not committed after them.
 */
export async function recountRegistrations(engine: Engine, trx: Trx): Promise<void> {
  const insert = trx.insertInto('stat_cursor').values({ source: REGISTRATIONS.source, position: -1 });
  const position = sql<number>`case when stat_cursor.position > 0 then 0 else stat_cursor.position end - 1`;
  const upsert =
    engine === 'mysql'
      ? insert.onDuplicateKeyUpdate({ position, after_id: '' })
      : insert.onConflict((conflict) => conflict.columns(['source']).doUpdateSet({ position, after_id: '' }));
  await upsert.execute();
  await trx.deleteFrom('day_stat').where('name', 'in', REGISTRATIONS.sums).execute();
}

/** Merges cells with the same key and sorts them by key. */
export function mergeCells(cells: readonly StatCell[]): StatCell[] {
  const merged = new Map<string, StatCell>();
  for (const cell of cells) {
    const key = `${cell.name} ${cell.day} ${cell.serverId} ${cell.part}`;
    const n = (merged.get(key)?.n ?? 0) + cell.n;
    merged.set(key, { ...cell, n });
  }
  return [...merged].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, cell]) => cell);
}
