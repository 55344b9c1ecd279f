import { type RootOperationNode, sql } from 'kysely';
import { expect } from 'vitest';
import type { Db } from '../../src/db/open.ts';

/** Returns the query plan of the single statement sent. */
export async function planOf(db: Db, run: (spied: Db) => Promise<unknown>): Promise<string> {
  let sent: RootOperationNode | undefined;
  const kysely = db.kysely.withPlugin({
    transformQuery({ node }) {
      sent = node;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await run({ ...db, kysely });
  const { sql: text, parameters } = db.kysely
    .getExecutor()
    .compileQuery(sent ?? expect.fail(), { queryId: 'plan' });
  const explain = db.engine === 'sqlite' ? 'explain query plan' : 'explain';
  const query = { ...sql`select 1`.compile(db.kysely), sql: `${explain} ${text}`, parameters };
  return JSON.stringify((await db.kysely.executeQuery(query)).rows);
}
