import type { Db } from '../../../db/open.ts';
import { countRows, valuesOf } from '../../../db/row-count.ts';
import type { Trx } from '../../../db/transaction.ts';
import { changeOrRepeat, unchanged } from '../../../db/unchanged.ts';
import { OPEN_STATES, type ZoneAdminStore, type ZoneState } from './store.ts';

export function mergeStore({ kysely }: Pick<Db, 'kysely'>, { stateOf }: Pick<ZoneAdminStore, 'stateOf'>) {
  return {
    /** Returns a zone and those its merges lead to, in order. Empty if there is no such zone. */
    async chainOf(trx: Trx, serverId: number): Promise<ZoneState[]> {
      const chain: ZoneState[] = [];
      let next: number | null = serverId;
      while (next !== null && !chain.some(({ server_id }) => server_id === next)) {
        const zone = await stateOf(trx, next);
        if (!zone) break;
        chain.push(zone);
        next = zone.merged_into;
      }
      return chain;
    },

    /** Merges a zone that is unchanged since it was read. Every withdrawal accepted since has raised its revision. */
    async merge(trx: Trx, before: ZoneState, into: number): Promise<void> {
      await trx
        .updateTable('server')
        .set({ merged_into: into, revision: before.revision + 1 })
        .where(unchanged({ ...before }))
        .$call(changeOrRepeat);
    },

    /** Writes a zone that a merge depends on, so that its concurrent merge cannot close a cycle. */
    async relyOn(trx: Trx, { server_id, merged_into }: ZoneState): Promise<void> {
      await trx
        .updateTable('server')
        .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
        .where(unchanged({ server_id, merged_into }))
        .$call(changeOrRepeat);
    },

    mergedInto: (trx: Trx, serverId: number): Promise<number[]> =>
      trx
        .selectFrom('server')
        .select('server_id')
        .where('merged_into', '=', serverId)
        .$call(valuesOf('server_id')),

    openWithdrawals: (trx: Trx, serverId: number): Promise<number> =>
      trx
        .selectFrom('withdraw')
        .where('server_id', '=', serverId)
        .where('state', 'in', OPEN_STATES)
        .$call(countRows),

    /**
     * Counts the players whose last zone it is, and its withdrawals. Scans the whole player table: for operators, not for
     * requests.
     */
    async inhabitants(serverId: number): Promise<{ players: number; withdrawals: number }> {
      return {
        players: await kysely
          .selectFrom('player')
          .where(({ eb, fn }) => eb(fn.coalesce('last_server_id', 'server_id'), '=', serverId))
          .$call(countRows),
        withdrawals: await kysely.selectFrom('withdraw').where('server_id', '=', serverId).$call(countRows),
      };
    },
  };
}

export type MergeStore = ReturnType<typeof mergeStore>;
