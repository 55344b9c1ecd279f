import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { tempDir } from '../../../test-support/process.ts';
import { classify } from '../../src/db/errors.ts';
import { openDatabase } from '../../src/db/open.ts';
import { startChild } from './children/child.ts';
import { migratedAt, opened, rejection } from './opened.ts';

const freshFile = () => join(tempDir('sqlite'), 'deep', 'er', 'gatehouse.db');
const countAgents = sql<{ n: number }>`select count(*) as n from agent`;

test('when a transaction is open, then reads run immediately on the committed state and writes wait', async () => {
  const db = await migratedAt(`sqlite:${freshFile()}`);
  const order: string[] = [];
  let write: Promise<unknown> | undefined;
  await db.transaction(async (trx) => {
    await trx.insertInto('agent').values({ name: 'inside' }).execute();
    write = db.kysely
      .insertInto('agent')
      .values({ name: 'outside' })
      .execute()
      .then(() => order.push('outside write'));
    for (const read of [
      db.kysely.selectFrom('agent').select('name'),
      sql`with a as (select name from agent) select name from a`,
      sql`select name from agent`,
    ]) {
      const result = await db.kysely.executeQuery(read.compile(db.kysely));
      expect(result.rows).toEqual([]);
    }
    order.push('reads');
  });
  order.push('transaction');
  await write;
  expect(order).toEqual(['reads', 'transaction', 'outside write']);
  expect((await countAgents.execute(db.kysely)).rows).toEqual([{ n: 2 }]);
});

test('when another process holds the file, then writes wait for it, and this process keeps running', async () => {
  const file = freshFile();
  const db = await migratedAt(`sqlite:${file}`);
  const other = startChild('holds-sqlite.ts', file);
  expect(await other.line()).toBe('held');

  const done: string[] = [];
  const transaction = db
    .transaction((trx) => trx.insertInto('agent').values({ name: 'a' }).execute())
    .then(() => done.push('transaction'));
  const single = db.kysely
    .insertInto('agent')
    .values({ name: 'b' })
    .execute()
    .then(() => done.push('single'));
  for (let turn = 0; turn < 50; turn++) {
    await nextTurn();
    expect((await countAgents.execute(db.kysely)).rows).toEqual([{ n: 0 }]);
  }
  expect(done).toEqual([]);

  other.say('let go');
  await Promise.all([transaction, single]);
  expect((await countAgents.execute(db.kysely)).rows).toEqual([{ n: 2 }]);
});

test('when another process never releases the file, then writing ends as retry and the lock is free again', async () => {
  const file = freshFile();
  const db = await migratedAt(`sqlite:${file}`);
  const other = startChild('holds-sqlite.ts', file);
  expect(await other.line()).toBe('held');
  const write = db.kysely.insertInto('agent').values({ name: 'a' }).execute();
  expect(classify(await rejection(write))).toBe('retry');

  other.say('let go');
  expect(await other.line()).toBe('released');
  await db.kysely.insertInto('agent').values({ name: 'b' }).execute();
});

test('when the work ends its own transaction, then further statements are refused and the lock is released', async () => {
  const db = await migratedAt(`sqlite:${freshFile()}`);
  const endsEarly = db.transaction(async (trx) => {
    await sql`rollback`.execute(trx);
    await trx.insertInto('agent').values({ name: 'astray' }).execute();
  });
  await expect(endsEarly).rejects.toThrow('has already ended');
  const endsSilently = db.transaction((trx) => sql`rollback`.execute(trx));
  await expect(endsSilently).rejects.toThrow('has already ended');

  await db.transaction((trx) => trx.insertInto('agent').values({ name: 'fine' }).execute());
  expect((await countAgents.execute(db.kysely)).rows).toEqual([{ n: 1 }]);
});

test('when a write is disguised as a read, then it is refused', async () => {
  const db = await migratedAt(`sqlite:${freshFile()}`);
  await expect(sql`pragma user_version = 5`.execute(db.kysely)).rejects.toThrow(/readonly/);
});

test('when the database is opened, then it is in WAL mode and every commit is synced', async () => {
  const db = await migratedAt(`sqlite:${freshFile()}`);
  const pragma = async (name: string) =>
    db.transaction(
      async (trx) => Object.values((await sql.raw(`pragma ${name}`).execute(trx)).rows[0] ?? {})[0],
    );
  expect(await pragma('journal_mode')).toBe('wal');
  expect(await pragma('synchronous')).toBe(2);
  expect(await pragma('foreign_keys')).toBe(1);
});

test('when the file is created, then only its owner may read it', async () => {
  const file = freshFile();
  const db = await migratedAt(`sqlite:${file}`);
  await db.kysely.insertInto('agent').values({ name: 'a' }).execute();
  for (const name of [file, `${file}-wal`, `${file}-shm`]) expect(statSync(name).mode & 0o777).toBe(0o600);
});

test('when the writing process is killed, then every confirmed row exists and the file is intact', async () => {
  const url = `sqlite:${freshFile()}`;
  const first = await migratedAt(url);
  await first.close();
  for (let round = 0; round < 3; round++) {
    let confirmed = 0;
    const fresh = await openDatabase(url);
    await fresh.kysely.deleteFrom('agent').execute();
    await fresh.close();
    const writer = startChild('writes.ts', url);
    const enough = 50 + Math.floor(Math.random() * 200);
    for (let line = await writer.line(); line !== undefined; line = await writer.line()) {
      confirmed = Number(line);
      if (confirmed === enough) await writer.kill();
    }
    const db = await opened(url);
    const ids = await db.kysely.selectFrom('agent').select('agent_id').orderBy('agent_id').execute();
    expect(ids.length).toBeGreaterThanOrEqual(confirmed);
    expect(ids.map(({ agent_id }) => agent_id)).toEqual(ids.map((_, index) => index + 1));
    expect((await sql`pragma integrity_check`.execute(db.kysely)).rows).toEqual([{ integrity_check: 'ok' }]);
  }
});

test.each(['sqlite:', 'sqlite::memory:', 'file.db', ''])(
  'when the address is "%s", then it is refused in one clear line',
  async (url) => {
    const error = await rejection(openDatabase(url));
    expect(classify(error)).toBe('unavailable');
    expect(String(error)).toMatch(/sqlite:path/);
    expect(String(error)).not.toContain('\n');
  },
);

test('when the file is something else, then opening says so', async () => {
  const folder = tempDir('sqlite');
  writeFileSync(join(folder, 'text.db'), 'this is not a database, however long it may be '.repeat(50));
  mkdirSync(join(folder, 'folder.db'));
  for (const name of ['text.db', 'folder.db']) {
    const error = await rejection(openDatabase(`sqlite:${join(folder, name)}`));
    expect(classify(error)).toBe('unavailable');
    expect(String(error)).toContain(name);
  }
});
