import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { CHAT_INSERT_MS } from '../src/db/chat-names.ts';
import { migrate } from '../src/db/migrate.ts';
import { chatNames } from '../src/db/migrations/0101-chat-names.ts';
import { migrations } from '../src/db/migrations/index.ts';
import { type Db, openDatabase } from '../src/db/open.ts';
import { chatSearchStore } from '../src/features/chat/admin/store.ts';
import { startIndexJob } from '../src/features/chat/index-job.ts';
import { chatStore } from '../src/features/chat/store.ts';
import { erasedRecordsStore } from '../src/features/own-account/erased-records-store.ts';
import { exportListsStore } from '../src/features/own-account/export-lists-store.ts';
import { migrated, migratedAt } from './db/opened.ts';
import { makeOperator } from './support/operator.ts';
import { startTestApp } from './support/test-app.ts';

const LINES = Array.from({ length: 40 }, (_, n) => ({
  serverId: 1 + (n % 2),
  account: `account${n % 4}`,
  role: `role${n % 5}`,
  channel: n % 3 === 0 ? 'guild' : 'world',
  content: `line ${n}`,
  sentAt: null,
}));

async function unindexed({ engine, kysely }: Db): Promise<number> {
  const lines = kysely.selectFrom('chat').select('id');
  const names = kysely.selectFrom('chat_name').select('line_id').where('field', '=', 'role');
  const left = engine === 'sqlite' ? lines.where('unindexed', '=', 1) : lines.where('id', 'not in', names);
  return (await left.execute()).length;
}

const nameCount = async ({ kysely }: Db) =>
  (await kysely.selectFrom('chat_name').select('name').execute()).length;

const contentOf = ({ content }: { readonly content: string }) => content;

describeOnEngines('bursts of chat', (engine) => {
  test('when a burst is written, then every reader of the chat finds its lines, however many are indexed', async () => {
    const db = await migrated(engine);
    const chat = chatStore(db, { insertMs: -1 });
    const { search } = chatSearchStore(db);
    const { removeChat } = erasedRecordsStore(db);
    const newest = (fits: (line: (typeof LINES)[number]) => boolean) =>
      LINES.filter(fits).map(contentOf).reverse();
    const searched = async (filter: Parameters<typeof search>[0]) => {
      const found: string[] = [];
      for (let after: readonly [number, number] | undefined; ; ) {
        const page = await search(filter, { limit: 3, after });
        found.push(...page.map(contentOf));
        const last = page.at(-1);
        if (last === undefined) return found;
        after = [last.received_at, last.id];
      }
    };
    const exported = async (account: string) => {
      const found: string[] = [];
      for await (const rows of exportListsStore(db).chat(account)) found.push(...rows.map(contentOf));
      return found;
    };

    await chat.insertAll(LINES);
    const left = [await unindexed(db)];
    for (let step = 0; step < 4; step++) {
      expect(await searched({})).toEqual(newest(() => true));
      expect(await searched({ serverIds: [2] })).toEqual(newest((line) => line.serverId === 2));
      expect(await searched({ account: 'account3' })).toEqual(newest((line) => line.account === 'account3'));
      expect(await searched({ role: 'role4' })).toEqual(newest((line) => line.role === 'role4'));
      expect(await searched({ channel: 'guild' })).toEqual(newest((line) => line.channel === 'guild'));
      expect(await searched({ role: 'role4', serverIds: [1] })).toEqual(
        newest((line) => line.role === 'role4' && line.serverId === 1),
      );
      expect(await exported('account3')).toEqual(newest((line) => line.account === 'account3').reverse());
      await chat.indexOldest(15);
      left.push(await unindexed(db));
    }
    expect(left).toEqual([40, 25, 10, 0, 0]);

    await chat.insertAll(LINES);
    await chat.indexOldest(15);
    expect(await removeChat(['account3'])).toBe(false);
    expect(await searched({ account: 'account3' })).toEqual([]);
    expect(await searched({ role: 'role4', account: 'account3' })).toEqual([]);
    expect(await searched({})).toHaveLength(60);
    await chat.indexOldest(100);
    expect(await unindexed(db)).toBe(0);
    if (engine.name === 'mariadb') expect(await nameCount(db)).toBe(120);
  });

  test('when few lines are written at once, then SQLite indexes them immediately and MariaDB when no insert can come between', async () => {
    const db = await migrated(engine);
    const chat = chatStore(db);
    await chat.insertAll(LINES.slice(0, 15));
    expect(await unindexed(db)).toBe(engine.name === 'sqlite' ? 0 : 15);
    expect(await chat.indexOldest(100)).toBe(0);
    expect(await unindexed(db)).toBe(engine.name === 'sqlite' ? 0 : 15);
  });

  test('when a database of an earlier version is migrated, then its lines have names and the two indexes are gone', async () => {
    if (engine.name === 'sqlite') return;
    const db = await openDatabase(await engine.emptyUrl());
    onTestFinished(() => db.close());
    await migrate(
      db,
      migrations.filter(({ name }) => name !== chatNames.name),
    );
    const line = { server_id: 1, role: 'old', channel: 'world', content: 'hello', unindexed: 0 };
    const now = await db.readTime();
    // Ids need not be in the order of time.
    const ids = [8, 5, 30_003, 3];
    const at = (index: number) => now - (index < 3 ? 10 - index : 0) * CHAT_INSERT_MS;
    await db.kysely
      .insertInto('chat')
      .values(ids.map((id, index) => ({ id, ...line, received_at: at(index) })))
      .execute();
    expect(await migrate(db)).toEqual({ applied: [chatNames.name] });
    expect(await unindexed(db)).toBe(1);
    await chatNames.fill(db.kysely, 'mariadb');
    expect(await nameCount(db)).toBe(6);
    const { rows } = await sql<{ Key_name: string }>`show index from chat`.execute(db.kysely);
    const names = new Set(rows.map(({ Key_name }) => Key_name));
    expect([names.has('chat_role_received_at'), names.has('chat_account_received_at')]).toEqual([
      false,
      true,
    ]);
    const found = await chatSearchStore(db).search({ role: 'old' }, { limit: 10, after: undefined });
    expect(found.map(({ id }) => id)).toEqual(ids.toReversed());
  });

  test('when old lines are deleted, then their names are too', async () => {
    if (engine.name === 'sqlite') return;
    const db = await migrated(engine);
    const chat = chatStore(db, { insertMs: -1 });
    await chat.insertAll(LINES);
    await chat.indexOldest(100);
    const { received_at } = await db.kysely
      .selectFrom('chat')
      .select('received_at')
      .executeTakeFirstOrThrow();
    await db.kysely
      .updateTable('chat_name')
      .set({ line_at: received_at - 1 })
      .orderBy('line_id')
      .limit(20)
      .execute();
    await db.kysely.deleteFrom('chat').orderBy('id').limit(10).execute();
    expect([await chat.deleteOldNames(15), await chat.deleteOldNames(15)]).toEqual([15, 5]);
    expect(await nameCount(db)).toBe(60);
    await db.kysely.deleteFrom('chat').execute();
    expect(await chat.deleteOldNames(100)).toBe(60);
  });

  test('when a game reports a burst, then its lines are found immediately and indexed soon, also those left by a killed process', async () => {
    const url = await engine.freshUrl();
    await chatStore(await migratedAt(url)).insertAll(LINES);

    const app = await startTestApp(url, { console: { require_totp: false } });
    // The service's own waits longer on MariaDB than a test should.
    const { close } = startIndexJob({
      chat: chatStore(app.db, { insertMs: -1 }),
      log: { warn: () => {} },
      batchSize: 100,
      intervalMs: 50,
    });
    onTestFinished(close);
    await expect.poll(() => unindexed(app.db)).toBe(0);
    const support = await makeOperator(app, { name: 'support', role: 'support' });
    const ofRole = async () => (await support.get('chat?role=late')).body.chat.map(contentOf);
    const expected: string[] = [];
    for (const burst of [1, 2, 3]) {
      const records = Array.from({ length: 200 }, (_, n) => ({
        server_id: 1,
        role: n % 40 === 7 ? 'late' : `role ${n}`,
        content: `${burst}-${n}`,
      }));
      const { body } = await app.from('127.0.0.1').post('/api/report/chat', { records });
      expect(body).toEqual({ accepted: 200 });
      expected.unshift(...[167, 127, 87, 47, 7].map((n) => `${burst}-${n}`));
      expect(await ofRole()).toEqual(expected);
    }
    await expect.poll(() => unindexed(app.db)).toBe(0);
    expect(await ofRole()).toEqual(expected);
  });
});

test('when a text is searched in many lines, then all matches are found in order, and other work runs meanwhile', async () => {
  const db = await migratedAt(freshSqlite());
  const rows = Array.from({ length: 7000 }, (_, index) => ({
    server_id: 1 + (index % 2),
    content: index % 1500 === 0 ? `needle ${index}` : 'hay',
    received_at: 1000 + Math.floor(index / 3),
  }));
  await db.kysely.insertInto('chat').values(rows).execute();
  let turns = 0;
  const other = setInterval(() => turns++, 0);
  onTestFinished(() => clearInterval(other));
  const { search } = chatSearchStore(db);
  const texts = async (serverIds: number[] | undefined, limit: number) =>
    (await search({ contains: 'needle', serverIds }, { limit, after: undefined })).map(contentOf);
  const needles = [6000, 4500, 3000, 1500, 0].map((index) => `needle ${index}`);
  expect(await texts(undefined, 50)).toEqual(needles);
  expect(await texts([1, 2], 50)).toEqual(needles);
  expect(await texts([1], 2)).toEqual(needles.slice(0, 2));
  expect(turns).toBeGreaterThan(0);
});
