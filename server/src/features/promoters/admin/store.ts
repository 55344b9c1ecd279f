import type { Kysely, Selectable } from 'kysely';
import { ChangedMeanwhile, classify } from '../../../db/errors.ts';
import type { Db } from '../../../db/open.ts';
import { countRows } from '../../../db/row-count.ts';
import type { Database } from '../../../db/schema.ts';
import type { Trx } from '../../../db/transaction.ts';
import { changeOrRepeat, unchanged } from '../../../db/unchanged.ts';

export type PromoterState = Pick<Selectable<Database['agent']>, 'agent_id' | 'name' | 'status'>;

type NewPromoterRow = Pick<PromoterState, 'name' | 'status'> & Partial<Pick<PromoterState, 'agent_id'>>;

const columns = ['agent_id', 'name', 'status'] as const;

/**
 * Returns an id above all others, so that ids are in the order of creation, and above those that imported players carry without
 * a promoter: a new one must not inherit these players.
 */
async function nextId(trx: Trx): Promise<number> {
  const { carried } = await trx
    .selectFrom('player')
    .select(({ fn }) => fn.max('agent_id').as('carried'))
    .executeTakeFirstOrThrow();
  const { given } = await trx
    .selectFrom('agent')
    .select(({ fn }) => fn.max('agent_id').as('given'))
    .executeTakeFirstOrThrow();
  return Math.max(Number(carried ?? 0), Number(given ?? 0)) + 1;
}

export function promoterStore({ kysely }: Db) {
  const stateOf = (db: Kysely<Database>, agentId: number): Promise<PromoterState | undefined> =>
    db.selectFrom('agent').select(columns).where('agent_id', '=', agentId).executeTakeFirst();

  return {
    all() {
      return kysely.selectFrom('agent').selectAll().orderBy('agent_id').execute();
    },

    /** Newest first, ids below `before`. */
    page({ before, limit }: { before: number | undefined; limit: number }): Promise<PromoterState[]> {
      let query = kysely.selectFrom('agent').select(columns);
      if (before !== undefined) query = query.where('agent_id', '<', before);
      return query.orderBy('agent_id', 'desc').limit(limit).execute();
    },

    find: (agentId: number) => stateOf(kysely, agentId),

    stateOf,

    /** Returns undefined if the id is taken. */
    async add(trx: Trx, promoter: NewPromoterRow): Promise<number | undefined> {
      try {
        const id = promoter.agent_id ?? (await nextId(trx));
        await trx
          .insertInto('agent')
          .values({ ...promoter, agent_id: id })
          .execute();
        return id;
      } catch (error) {
        if (classify(error) !== 'duplicate') throw error;
        // Another promoter has taken the id meanwhile; retry with the next.
        if (promoter.agent_id === undefined) throw new ChangedMeanwhile('the id is taken');
        return undefined;
      }
    },

    playersOf: (agentId: number): Promise<number> =>
      kysely.selectFrom('player').where('agent_id', '=', agentId).$call(countRows),

    async change(trx: Trx, before: PromoterState, change: Partial<Omit<PromoterState, 'agent_id'>>) {
      await trx
        .updateTable('agent')
        .set(change)
        .where(unchanged({ ...before }))
        .$call(changeOrRepeat);
    },
  };
}

export type PromoterStore = ReturnType<typeof promoterStore>;
