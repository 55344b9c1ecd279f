import type { Kysely } from 'kysely';
import type { Db } from '../../../db/open.ts';
import type { Database } from '../../../db/schema.ts';
import type { Trx } from '../../../db/transaction.ts';
import { repeatUnless, unchanged } from '../../../db/unchanged.ts';

export interface PromoterState {
  readonly agent_id: number;
  readonly name: string;
  readonly status: string;
}

const columns = ['agent_id', 'name', 'status'] as const;

export function promoterStore({ kysely }: Db) {
  const stateOf = (db: Kysely<Database>, agentId: number): Promise<PromoterState | undefined> =>
    db.selectFrom('agent').select(columns).where('agent_id', '=', agentId).executeTakeFirst();

  return {
    all() {
      return kysely.selectFrom('agent').selectAll().orderBy('agent_id').execute();
    },

    /** Newest first, those below an id. */
    page({ before, limit }: { before: number | undefined; limit: number }): Promise<PromoterState[]> {
      let query = kysely.selectFrom('agent').select(columns);
      if (before !== undefined) query = query.where('agent_id', '<', before);
      return query.orderBy('agent_id', 'desc').limit(limit).execute();
    },

    find: (agentId: number) => stateOf(kysely, agentId),

    stateOf,

    async add(trx: Trx, promoter: Pick<PromoterState, 'name' | 'status'>): Promise<number> {
      const { insertId } = await trx.insertInto('agent').values(promoter).executeTakeFirstOrThrow();
      return Number(insertId);
    },

    async change(trx: Trx, before: PromoterState, change: Partial<Omit<PromoterState, 'agent_id'>>) {
      const { numUpdatedRows } = await trx
        .updateTable('agent')
        .set(change)
        .where(unchanged({ ...before }))
        .executeTakeFirst();
      repeatUnless(numUpdatedRows);
    },
  };
}

export type PromoterStore = ReturnType<typeof promoterStore>;
