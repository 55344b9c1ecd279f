import type { CompiledQuery, Kysely } from 'kysely';
import { expect, test } from 'vitest';
import { describeOnEngines } from '../../../test-support/engines.ts';
import type { Db } from '../../src/db/open.ts';
import type { Database } from '../../src/db/schema.ts';
import { migrated } from './opened.ts';

type Query = (db: Kysely<Database>) => { compile(): CompiledQuery };

const queries: [string, string, Query][] = [
  [
    'a player by account',
    'player_account_key',
    (db) => db.selectFrom('player').selectAll().where('account_key', '=', 'ann'),
  ],
  [
    'one of several players by account',
    'player_account_key',
    (db) => db.selectFrom('player').selectAll().where('account_key', 'in', ['ann', 'bob']),
  ],
  [
    'a player by e-mail',
    'player_email',
    (db) => db.selectFrom('player').selectAll().where('email', '=', 'ann@example.org'),
  ],
  ['a player by id', 'PRIMARY', (db) => db.selectFrom('player').selectAll().where('id', '=', 1)],
  [
    'a binding by connect id',
    'player_connect_threeparty_provider_connect_id',
    (db) =>
      db
        .selectFrom('player_connect_threeparty')
        .selectAll()
        .where('provider', '=', 'forum')
        .where('connect_id', '=', 'c1'),
  ],
  [
    'an open withdrawal',
    'withdraw_open_key',
    (db) => db.selectFrom('withdraw').selectAll().where('open_key', '=', '1:1'),
  ],
  [
    'a withdrawal by its key',
    'withdraw_player_id_request_key',
    (db) => db.selectFrom('withdraw').selectAll().where('player_id', '=', 1).where('request_key', '=', 'k'),
  ],
  [
    'the newest code of an e-mail address',
    'verify_email_created_at',
    (db) =>
      db
        .selectFrom('verify')
        .selectAll()
        .where('email', '=', 'ann@example.org')
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc'),
  ],
];

describeOnEngines('the hot queries', (engine) => {
  test.each(queries)('when %s is looked up, then the index %s is used', async (_, index, query) => {
    const db = await migrated(engine);
    await db.kysely.insertInto('player').values({ account: 'Ann', email: 'ann@example.org' }).execute();
    await db.kysely.insertInto('verify').values({ email: 'ann@example.org' }).execute();
    await db.kysely
      .insertInto('player_connect_threeparty')
      .values({ connect_id: 'c1', player_id: 1 })
      .execute();
    const withdrawal = { id: 'w', player_id: 1, server_id: 1, amount: 1, open_key: '1:1', request_key: 'k' };
    await db.kysely.insertInto('withdraw').values(withdrawal).execute();

    expect(await indexUsed(db, query(db.kysely).compile())).toBe(index);
  });
});

async function indexUsed({ engine, kysely }: Db, query: CompiledQuery): Promise<string | undefined> {
  if (engine === 'mysql') {
    const { rows } = await kysely.executeQuery<{ key: string }>({ ...query, sql: `explain ${query.sql}` });
    return rows[0]?.key;
  }
  const plan = { ...query, sql: `explain query plan ${query.sql}` };
  const { rows } = await kysely.executeQuery<{ detail: string }>(plan);
  const detail = rows[0]?.detail ?? '';
  return detail.includes('INTEGER PRIMARY KEY') ? 'PRIMARY' : /USING INDEX (\w+)/.exec(detail)?.[1];
}
