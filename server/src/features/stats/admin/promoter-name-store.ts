import type { Db } from '../../../db/open.ts';

export function promoterNames({ kysely }: Db) {
  return async (agentIds: readonly number[]): Promise<ReadonlyMap<number, string>> => {
    if (agentIds.length === 0) return new Map();
    const rows = await kysely
      .selectFrom('agent')
      .select(['agent_id', 'name'])
      .where('agent_id', 'in', agentIds)
      .execute();
    return new Map(rows.map(({ agent_id, name }) => [agent_id, name]));
  };
}
