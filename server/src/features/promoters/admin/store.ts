import type { Db } from '../../../db/open.ts';
import type { Trx } from '../../../db/transaction.ts';
import { repeatUnless, unchanged } from '../../../db/unchanged.ts';

export interface PromoterState {
  readonly agent_id: number;
  readonly name: string;
  readonly status: string;
}

export function promoterStore({ kysely }: Db) {
  return {
    all() {
      return kysely.selectFrom('agent').selectAll().orderBy('agent_id').execute();
    },

    stateOf(trx: Trx, agentId: number): Promise<PromoterState | undefined> {
      return trx
        .selectFrom('agent')
        .select(['agent_id', 'name', 'status'])
        .where('agent_id', '=', agentId)
        .executeTakeFirst();
    },

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
