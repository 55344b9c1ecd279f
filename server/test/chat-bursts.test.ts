import { expect, onTestFinished, test } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import type { Db } from '../src/db/open.ts';
import { chatSearchStore } from '../src/features/chat/admin/store.ts';
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

const unindexed = async ({ kysely }: Db) =>
  (await kysely.selectFrom('chat').select('id').where('unindexed', '=', 1).execute()).length;

const contentOf = ({ content }: { readonly content: string }) => content;

describeOnEngines('bursts of chat', (engine) => {
  test('when a burst is written, then all who read the chat find its lines, however many are indexed', async () => {
    const db = await migrated(engine);
    const chat = chatStore(db);
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
    expect(left).toEqual(engine.name === 'sqlite' ? [40, 25, 10, 0, 0] : [0, 0, 0, 0, 0]);

    await chat.insertAll(LINES);
    await chat.indexOldest(15);
    expect(await removeChat(['account3'])).toBe(false);
    expect(await searched({ account: 'account3' })).toEqual([]);
    expect(await searched({})).toHaveLength(60);
  });

  test('when few lines are written at once, then they are indexed at once', async () => {
    const db = await migrated(engine);
    await chatStore(db).insertAll(LINES.slice(0, 15));
    expect(await unindexed(db)).toBe(0);
  });

  test('when a game reports a burst, then its lines are found at once and indexed soon, what a kill has left too', async () => {
    const url = await engine.freshUrl();
    await chatStore(await migratedAt(url)).insertAll(LINES);

    const app = await startTestApp(url, { console: { require_totp: false } });
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

test('when a text is looked for in many lines, then all that have it are found in order, and other work goes on meanwhile', async () => {
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
