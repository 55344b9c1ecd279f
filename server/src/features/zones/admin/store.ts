import type { WithdrawState, ZoneStatus } from '@gatehouse/contract';
import type { Selectable } from 'kysely';
import type { Db } from '../../../db/open.ts';
import type { Database } from '../../../db/schema.ts';
import type { Trx } from '../../../db/transaction.ts';
import { changeOrRepeat, insertedNew, unchanged } from '../../../db/unchanged.ts';

/** A zone, as configured by operators, by its columns. */
export type ZoneState = Readonly<Omit<Selectable<Database['server']>, 'status'> & { status: ZoneStatus }>;

/** The fields that operators change. Merging is a separate rule. */
export type ZoneFields = Partial<Omit<ZoneState, 'server_id' | 'merged_into' | Recorded>>;

/** Columns that the service writes. */
type Recorded = 'revision' | 'gm_failing_since' | 'gm_failure';

export type NewZone = ZoneFields & Pick<ZoneState, 'server_id' | 'name' | 'address' | 'port'>;

export interface ZonePage {
  readonly limit: number;
  readonly before?: number | undefined;
  readonly only: readonly number[] | null;
}

/** A withdrawal in one of these may still take currency, or may have. */
export const OPEN_STATES: readonly WithdrawState[] = ['accepted', 'sending', 'unknown'];

const toState = (row: Selectable<Database['server']>): ZoneState => ({
  ...row,
  status: row.status as ZoneStatus,
});

export function zoneAdminStore({ kysely, readTime }: Pick<Db, 'kysely' | 'readTime'>) {
  async function stateOf(trx: Trx, serverId: number): Promise<ZoneState | undefined> {
    const row = await trx
      .selectFrom('server')
      .selectAll()
      .where('server_id', '=', serverId)
      .executeTakeFirst();
    return row && toState(row);
  }

  /** Stores the addresses on open withdrawals that an older version accepted: a server set later must not answer for them. */
  async function pinOpen(trx: Trx, { server_id, gm_url, database_url }: ZoneState): Promise<void> {
    await trx
      .updateTable('withdraw')
      .set({ gm_url, database_url })
      .where('server_id', '=', server_id)
      .where('state', 'in', OPEN_STATES)
      .where('gm_url', 'is', null)
      .execute();
  }

  return {
    stateOf,
    now: readTime,

    /** Returns zones below `before`, highest id first, limited to `only` if it is set. */
    async list({ limit, before, only }: ZonePage): Promise<ZoneState[]> {
      let query = kysely.selectFrom('server').selectAll().orderBy('server_id', 'desc').limit(limit);
      if (before !== undefined) query = query.where('server_id', '<', before);
      if (only) query = query.where('server_id', 'in', only);
      return (await query.execute()).map(toState);
    },

    async unknownWithdrawals(): Promise<ReadonlyMap<number, number>> {
      const rows = await kysely
        .selectFrom('withdraw')
        .select(['server_id', ({ fn }) => fn.countAll<number>().as('n')])
        .where('state', '=', 'unknown')
        .groupBy('server_id')
        .execute();
      return new Map(rows.map(({ server_id, n }) => [server_id, Number(n)]));
    },

    /** Returns false if the id is taken. */
    async add(trx: Trx, zone: NewZone): Promise<boolean> {
      return insertedNew(trx.insertInto('server').values(zone));
    },

    async change(trx: Trx, before: ZoneState, fields: ZoneFields): Promise<void> {
      // Withdrawals write these, but do not conflict with a change.
      const { revision: _, gm_failing_since: __, gm_failure: ___, ...columns } = before;
      await changeOrRepeat(trx.updateTable('server').set(fields).where(unchanged(columns)));
      if (fields.gm_url !== undefined || fields.database_url !== undefined) await pinOpen(trx, before);
    },

    async remove(trx: Trx, before: ZoneState): Promise<void> {
      await changeOrRepeat(trx.deleteFrom('server').where(unchanged({ ...before })));
    },
  };
}

export type ZoneAdminStore = ReturnType<typeof zoneAdminStore>;
