import { hash } from 'node:crypto';
import { addToDayStat } from '../../db/day-stat.ts';
import { sweepOlder } from '../../db/delete-in-batches.ts';
import type { Db } from '../../db/open.ts';
import { countRows } from '../../db/row-count.ts';
import { insertedNew } from '../../db/unchanged.ts';

/** Entries of the previous generation, in the order of their `part` in `day_stat`. */
export const retiredEntries = ['api', 'callback', 'server_list', 'login', 'php'] as const;
export type RetiredEntry = (typeof retiredEntries)[number];

/** What an import found in a source of old accounts. */
export interface SourceFigures {
  /** Without credentials. */
  readonly source: string;
  readonly accounts: number;
  readonly kept: number;
  readonly conflicts: number;
  readonly refused: number;
  readonly complete: boolean;
  /** Seconds between the runs of a watch; 0 for a single run. */
  readonly watch: number;
}

/** The old data may have changed since an older comparison. */
export const MAX_COMPARISON_AGE_MS = 3_600_000;
const MAX_SOURCE = 191;

export function takeoverStore(db: Db) {
  const { kysely, now } = db;

  return {
    /** Saves the figures of a source. If they are unchanged, renews only the time: during a watch, or when it becomes old. */
    async saveSource({ source, complete, ...figures }: SourceFigures): Promise<void> {
      const digest = hash('sha256', source);
      const values = { ...figures, complete: Number(complete) };
      const stored = await kysely
        .selectFrom('import_source')
        .select(['accounts', 'kept', 'conflicts', 'refused', 'watch', 'complete', 'at'])
        .where('digest', '=', digest)
        .executeTakeFirst();
      const isSame =
        stored && Object.entries(values).every(([name, value]) => Reflect.get(stored, name) === value);
      const isRecent = stored && (await db.readTime()) - stored.at < MAX_COMPARISON_AGE_MS / 2;
      if (isSame && isRecent && figures.watch === 0) return;
      const change = { ...values, at: now, ...(!isSame && { changed_at: now }) };
      const update = () =>
        kysely.updateTable('import_source').set(change).where('digest', '=', digest).execute();
      if (stored) return void (await update());
      const isNew = await kysely
        .insertInto('import_source')
        .values({ digest, source: source.slice(0, MAX_SOURCE), ...change })
        .$call(insertedNew);
      if (!isNew) await update();
    },

    async sources() {
      const rows = await kysely
        .selectFrom('import_source')
        .selectAll()
        .orderBy('at', 'desc')
        .limit(20)
        .execute();
      return rows.map(({ digest: _, complete, ...row }) => ({ ...row, complete: complete === 1 }));
    },

    /** Counts all accounts, by the smallest index. */
    countAccounts: (): Promise<number> => kysely.selectFrom('player').$call(countRows),

    countZones: (): Promise<number> =>
      kysely.selectFrom('server').where('status', '!=', 'closed').$call(countRows),

    /** Returns logins, md5 accounts and retired hits since a day. */
    async figuresByDay(since: string) {
      const rows = await kysely
        .selectFrom('day_stat')
        .select(['name', 'day', 'part', ({ fn }) => fn.sum<number>('n').as('n')])
        .where('name', 'in', ['logins', 'legacy_checks', 'retired_hits'])
        .where('day', '>=', since)
        .groupBy(['name', 'day', 'part'])
        .execute();
      return rows.map((row) => ({ ...row, n: Number(row.n) }));
    },

    addRetiredHits: (day: string, hits: ReadonlyMap<RetiredEntry, number>) =>
      db.transaction((trx) =>
        addToDayStat(
          db.engine,
          trx,
          [...hits].map(([entry, n]) => ({
            name: 'retired_hits' as const,
            day,
            serverId: 0,
            part: retiredEntries.indexOf(entry),
            n,
          })),
        ),
      ),

    readTime: () => db.readTime(),

    deleteOlderThan: sweepOlder(db, 'import_source', ['digest'], 'at'),
  };
}

export type TakeoverStore = ReturnType<typeof takeoverStore>;
