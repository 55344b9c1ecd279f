import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { describeOnEngines } from '../../../test-support/engines.ts';
import { createDatabase } from '../../../test-support/mariadb.ts';
import { tempDir } from '../../../test-support/process.ts';
import { sharedMariadbUrl } from '../../../test-support/shared-servers.ts';
import { migrated, migratedAt } from './opened.ts';
import { shapesOf } from './table-shapes.ts';

/** Contract, section 9: operators and importers rely on these names. */
const contract: Record<string, string> = {
  player:
    'id account password_hash email server_id ip device os browse agent_id token_version status created_at last_login_at last_login_ip last_server_id login_count',
  verify: 'id email code_hash created_at expires_at attempts used_at',
  server: 'server_id name address port status sort opened_at gm_url database_url',
  player_connect_threeparty: 'id provider connect_id player_id created_at',
  chat: 'id server_id account role channel content sent_at received_at',
  withdraw:
    'id player_id request_key fingerprint server_id role_id role_name amount state open_key balance_before claim_token created_at updated_at',
  withdraw_event: 'withdraw_id seq from_state to_state why actor detail at',
  agent: 'agent_id name status created_at',
  control: 'name value until actor at reason',
  deny_entry: 'id entry until actor at reason',
  announcement: 'id title body level language starts_at ends_at created_at kind pinned summary',
  site_setting: 'name value file actor at',
  site_file: 'hash type width height bytes content created_at unused_since',
  audit: 'id at actor via action subject_kind subject_id server_id reason before after ip request_id',
};

describeOnEngines('the tables', (engine) => {
  test('when the database is migrated, then every table and column of the contract is there', async () => {
    const tables = await shapesOf(await migrated(engine));
    for (const [name, columns] of Object.entries(contract)) {
      expect(Object.keys(tables[name]?.columns ?? {}), name).toEqual(
        expect.arrayContaining(columns.split(' ')),
      );
    }
  });

  test('when an operator inserts only the obvious columns, then the others get their defaults', async () => {
    const db = await migrated(engine);
    for (const statement of [
      `insert into player (account, password_hash) values ('Bob', 'abc')`,
      `insert into server (server_id, name, address, port) values (1, 'One', '127.0.0.1', 7000)`,
      `insert into agent (name) values ('promoter')`,
      `insert into agent (agent_id, name) values (77, 'old promoter')`,
      `insert into player_connect_threeparty (connect_id, player_id) values ('c1', 1)`,
      `insert into chat (server_id, role, content) values (1, 'r', 'hello')`,
      `insert into withdraw (id, player_id, server_id, amount) values ('w1', 1, 1, 5)`,
      `insert into withdraw_event (withdraw_id, seq, to_state) values ('w1', 1, 'accepted')`,
      `insert into verify (email) values ('a@example.org')`,
    ]) {
      await sql.raw(statement).execute(db.kysely);
    }

    const player = await db.kysely.selectFrom('player').selectAll().executeTakeFirstOrThrow();
    expect(player).toMatchObject({ id: 1, account_key: 'bob', email: '', email_key: null, status: 'active' });
    expect(player).toMatchObject({ token_version: 0, login_count: 0, last_login_at: null, agent_id: null });
    const zone = await db.kysely.selectFrom('server').selectAll().executeTakeFirstOrThrow();
    expect(zone).toMatchObject({
      status: 'open',
      sort: 0,
      opened_at: null,
      gm_url: null,
      database_url: null,
    });
    const binding = await db.kysely
      .selectFrom('player_connect_threeparty')
      .selectAll()
      .executeTakeFirstOrThrow();
    expect(binding.provider).toBe('forum');
    const withdrawal = await db.kysely.selectFrom('withdraw').selectAll().executeTakeFirstOrThrow();
    expect(withdrawal).toMatchObject({ state: 'accepted', open_key: null, request_key: null });
  });

  test('when a session has another time zone, then the default times are still UTC', async () => {
    const db = await migrated(engine);
    const { created_at, now } = await db.kysely.connection().execute(async (session) => {
      if (db.engine === 'mysql') await sql`set session time_zone = '+09:00'`.execute(session);
      await session.insertInto('agent').values({ name: 'x' }).execute();
      return session
        .selectFrom('agent')
        .select(['created_at', db.now.as('now')])
        .executeTakeFirstOrThrow();
    });
    expect(Math.abs(now - Date.now())).toBeLessThan(60_000);
    expect(Math.abs(now - created_at)).toBeLessThan(60_000);
  });

  test('when a key that is not generated is omitted, then the row is refused', async () => {
    const db = await migrated(engine);
    const keyless = sql`insert into server (name, address, port) values ('One', 'a', 1)`;
    await expect(keyless.execute(db.kysely)).rejects.toThrow();
  });

  test('when a text is longer than its column, then it is refused and not truncated', async () => {
    const db = await migrated(engine);
    const insert = (content: string) =>
      db.kysely.insertInto('chat').values({ server_id: 1, content }).execute();
    await insert('界😀'.repeat(1000));
    await expect(insert(`${'界😀'.repeat(1000)}x`)).rejects.toThrow();
    const { content } = await db.kysely.selectFrom('chat').select('content').executeTakeFirstOrThrow();
    expect(content).toBe('界😀'.repeat(1000));
  });

  test('when two texts differ in case, accent or a trailing space, then they are two connect ids', async () => {
    const db = await migrated(engine);
    const ids = ['abc', 'ABC', 'ábc', 'abc ', ' abc', 'ａbc'];
    for (const [index, connect_id] of ids.entries()) {
      await db.kysely
        .insertInto('player_connect_threeparty')
        .values({ connect_id, player_id: index + 1 })
        .execute();
    }
    for (const [index, connect_id] of ids.entries()) {
      const rows = await db.kysely
        .selectFrom('player_connect_threeparty')
        .select('player_id')
        .where('connect_id', '=', connect_id)
        .execute();
      expect(rows).toEqual([{ player_id: index + 1 }]);
    }
  });
});

describe('the two engines', () => {
  test('when their tables are compared, then columns, nullability, defaults and keys are the same', async () => {
    const sqlite = await shapesOf(await migratedAt(`sqlite:${tempDir('tables')}/gatehouse.db`));
    const mariadb = await shapesOf(await migratedAt(await createDatabase(sharedMariadbUrl())));
    expect(Object.keys(sqlite).length).toBeGreaterThan(10);
    // SQLite needs no lock for migrations, and finds roles and channels in the chat by indexes instead of a table.
    const { migration_lock: _, chat_name: __, chat, ...shared } = mariadb;
    const { chat: sqliteChat, ...others } = sqlite;
    expect(others).toEqual(shared);
    expect(sqliteChat?.columns).toEqual(chat?.columns);
    const byName = ['chat_channel_received_at', 'chat_role_received_at'];
    const namesOf = (table = chat) => Object.keys(table?.keys ?? {});
    expect(namesOf(sqliteChat).filter((name) => !namesOf().includes(name))).toEqual(byName);
  });
});
