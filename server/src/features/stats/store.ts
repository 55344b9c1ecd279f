import { addToDayStat, type StatCell, type StatName } from '../../db/day-stat.ts';
import type { Db } from '../../db/open.ts';
import type { Trx } from '../../db/transaction.ts';
import { changedOne, insertedNew } from '../../db/unchanged.ts';

/** How far the rows of a table are summed: to a row's time and id. Zero or less is the beginning. */
export interface Position {
  readonly position: number;
  /** The id among rows of the same time. */
  readonly afterId: string;
}

/** What a batch of rows adds to the sums. */
export interface Batch {
  readonly cells: readonly StatCell[];
  readonly next: Position;
}

/** A table whose rows are summed once each, in the order of their times. */
export interface StatSource {
  readonly name: string;
  readonly sums: readonly StatName[];
  /** Returns the database clock, or an earlier time if rows with earlier ones are still to come. */
  head(): Promise<number>;
  /** Reads the rows after a position, up to another one; undefined if there are none. */
  read(after: Position, limit: number, until?: number): Promise<Batch | undefined>;
}

/** A figure of a day, over the requested zones. */
export interface DaySum {
  readonly name: StatName;
  readonly day: string;
  readonly part: number;
  readonly n: number;
}

export interface ZoneSum {
  readonly serverId: number;
  readonly n: number;
}

/** A cursor, and how its rows were summed: in which time zone, and by time. */
export interface Cursor extends Position {
  readonly summedIn: string;
}

export const START: Position = { position: 0, afterId: '' };

/** Version 0.2.0 summed by id and has no such suffix: each of the two versions starts over where the other has summed. */
const BY_TIME = ' by time';
export const summedByTime = (timeZone: string) => timeZone + BY_TIME;
export const isByTime = ({ summedIn }: Cursor) => summedIn.endsWith(BY_TIME);

class CursorMoved extends Error {}

export function statStore(db: Db) {
  const { kysely } = db;

  /** Moves a cursor, with further writes in the same transaction. Returns false if it has moved meanwhile. */
  async function moveCursor(
    source: string,
    from: Cursor,
    to: Cursor,
    alsoWrite: (trx: Trx) => Promise<unknown>,
  ): Promise<boolean> {
    try {
      await db.transaction(async (trx) => {
        const hasMoved = await trx
          .updateTable('stat_cursor')
          .set({ position: to.position, after_id: to.afterId, time_zone: to.summedIn })
          .where('source', '=', source)
          .where('time_zone', '=', from.summedIn)
          .where('position', '=', from.position)
          .where('after_id', '=', from.afterId)
          .$call(changedOne);
        if (!hasMoved) throw new CursorMoved();
        await alsoWrite(trx);
      });
      return true;
    } catch (error) {
      if (error instanceof CursorMoved) return false;
      throw error;
    }
  }

  return {
    /** Returns the position of every source; a missing one has not begun. */
    async positions(): Promise<ReadonlyMap<string, Cursor>> {
      const rows = await kysely.selectFrom('stat_cursor').selectAll().execute();
      return new Map(
        rows.map((row) => [
          row.source,
          { position: row.position, afterId: row.after_id, summedIn: row.time_zone },
        ]),
      );
    },

    async addCursor(source: string, summedIn: string): Promise<void> {
      await kysely.insertInto('stat_cursor').values({ source, time_zone: summedIn }).$call(insertedNew);
    },

    /** Starts the sums over, unless the cursor has moved. */
    restart: (
      { name, sums }: Pick<StatSource, 'name' | 'sums'>,
      before: Cursor,
      summedIn: string,
    ): Promise<boolean> =>
      moveCursor(name, before, { ...START, summedIn }, (trx) =>
        trx.deleteFrom('day_stat').where('name', 'in', sums).execute(),
      ),

    /** Adds a batch and advances the cursor atomically. Returns false if another instance was faster. */
    commit: (source: string, summedIn: string, before: Position, { cells, next }: Batch): Promise<boolean> =>
      moveCursor(source, { ...before, summedIn }, { ...next, summedIn }, (trx) =>
        addToDayStat(db.engine, trx, cells),
      ),

    async sums(
      names: readonly StatName[],
      days: { from: string; to: string },
      zones: readonly number[] | null,
    ): Promise<DaySum[]> {
      let query = kysely
        .selectFrom('day_stat')
        .select(['name', 'day', 'part', ({ fn }) => fn.sum<number>('n').as('total')])
        .where('name', 'in', names)
        .where('day', '>=', days.from)
        .where('day', '<=', days.to);
      if (zones) query = query.where('server_id', 'in', zones);
      const rows = await query.groupBy(['name', 'day', 'part']).execute();
      return rows.map(({ name, day, part, total }) => ({
        name: name as StatName,
        day,
        part,
        n: Number(total),
      }));
    },

    async sumsByZone(name: StatName, day: string): Promise<ZoneSum[]> {
      const rows = await kysely
        .selectFrom('day_stat')
        .select(['server_id', 'n'])
        .where('name', '=', name)
        .where('day', '=', day)
        .execute();
      return rows.map(({ server_id, n }) => ({ serverId: server_id, n }));
    },

    /** Returns the count that is compared with the daily cap. */
    async registrationsOn(day: string): Promise<number> {
      const row = await kysely
        .selectFrom('day_counter')
        .select('n')
        .where('name', '=', 'registrations')
        .where('day', '=', day)
        .executeTakeFirst();
      return row?.n ?? 0;
    },
  };
}

export type StatStore = ReturnType<typeof statStore>;
