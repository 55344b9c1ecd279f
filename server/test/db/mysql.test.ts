import { createServer } from 'node:net';
import { CompiledQuery, Kysely, sql } from 'kysely';
import { createConnection } from 'mysql2/promise';
import { expect, onTestFinished, test, vi } from 'vitest';
import { freshMariadbUrl } from '../../../test-support/engines.ts';
import { type Mariadb, startMariadb } from '../../../test-support/mariadb.ts';
import { freePort } from '../../../test-support/process.ts';
import { classify } from '../../src/db/errors.ts';
import { usualLimits } from '../../src/db/limits.ts';
import { openMysql } from '../../src/db/mysql.ts';
import { type Db, openDatabase } from '../../src/db/open.ts';
import { describeTarget, parseMysqlUrl } from '../../src/urls/mysql-url.ts';
import { migratedAt, opened, rejection } from './opened.ts';
import { startProxy } from './proxy.ts';

const writeAgent = (db: Db, name: string) => db.kysely.insertInto('agent').values({ name }).execute();
const countAgents = async (db: Db) =>
  (
    await db.kysely
      .selectFrom('agent')
      .select((row) => row.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
  ).n;

async function ownServer(): Promise<Mariadb> {
  const server = await startMariadb();
  onTestFinished(() => server.kill());
  return server;
}

test('when the server restarts, then statements fail as unavailable meanwhile and work again afterwards', async () => {
  const server = await ownServer();
  const db = await migratedAt(await server.createDatabase());
  await Promise.all(Array.from({ length: 20 }, (_, n) => writeAgent(db, `before ${n}`)));

  await server.kill();
  expect(classify(await rejection(db.ping()))).toBe('unavailable');
  expect(classify(await rejection(writeAgent(db, 'while down')))).toBe('unavailable');
  expect(classify(await rejection(countAgents(db)))).toBe('unavailable');
  expect(classify(await rejection(db.transaction((trx) => trx.selectFrom('agent').execute())))).toBe(
    'unavailable',
  );

  await server.restart();
  await db.ping();
  await Promise.all(Array.from({ length: 20 }, (_, n) => writeAgent(db, `after ${n}`)));
  expect(await countAgents(db)).toBe(40);
});

test('when the server dies and does not return, then closing still ends', async () => {
  const server = await ownServer();
  const db = await openDatabase(await server.createDatabase());
  await server.kill();
  await db.close();
});

test('when the server hangs, then every statement times out: reads, writes, transactions and pings', async () => {
  const url = await freshMariadbUrl();
  const proxy = await startProxy(url);
  // Until it hangs, only this process can be slow.
  const db = await vi.waitFor(() => openDatabase(proxy.url, { statementMs: 2500, repeatMs: 2000 }), 40_000);
  // One connection per statement.
  await vi.waitFor(async () => {
    await Promise.all(Array.from({ length: 4 }, () => db.ping()));
    expect(db.load().connections?.idle).toBeGreaterThanOrEqual(4);
  }, 40_000);
  proxy.stall();
  const [ping, read, write, transaction] = await Promise.all([
    rejection(db.ping()),
    rejection(countAgents(db)),
    rejection(writeAgent(db, 'a')),
    rejection(db.transaction((trx) => trx.selectFrom('agent').selectAll().execute())),
  ]);
  expect(classify(ping)).toBe('unavailable');
  expect(classify(transaction)).toBe('unavailable');
  expect(classify(read)).toBe('outcome_unknown');
  expect(classify(write)).toBe('outcome_unknown');
  expect(classify(await rejection(countAgents(db)))).toBe('unavailable');
  await db.close();
});

test('when a statement takes too long, then it is ended on the server, and the other connections stay', async () => {
  const url = await freshMariadbUrl();
  const { dialect } = openMysql(parseMysqlUrl(url) ?? expect.fail(), { ...usualLimits, statementMs: 2000 });
  const kysely = new Kysely<unknown>({ dialect });
  onTestFinished(() => kysely.destroy());
  const rows = async (text: string) =>
    (await kysely.executeQuery<{ id: number }>(CompiledQuery.raw(text))).rows.map(({ id }) => id);
  // Two at once, so that there are two connections.
  const slowly = 'select connection_id() as id, sleep(0.2)';
  const before = await vi.waitFor(async () => {
    const ids = (await Promise.all([rows(slowly), rows(slowly)])).flat();
    expect(new Set(ids).size).toBe(2);
    return ids;
  }, 40_000);

  const late = await rejection(kysely.executeQuery(CompiledQuery.raw('do sleep(600)')));
  expect(classify(late)).toBe('outcome_unknown');
  const running = () =>
    rows(`select id from information_schema.processlist where info like 'do sleep%' and db = database()`);
  await expect.poll(running).toEqual([]);
  expect(before).toContain((await rows('select connection_id() as id'))[0]);
});

test('when another transaction keeps a row locked, then waiting for it ends as retry', async () => {
  const url = await freshMariadbUrl();
  const db = await opened(url, { lockWaitS: 1, repeatMs: 500 });
  await writeAgent(db, 'a');
  const rename = db.kysely.updateTable('agent').set({ name: 'b' });
  const holder = await createConnection(url);
  await holder.query('BEGIN');
  await holder.query("UPDATE agent SET name = 'held'");
  expect(classify(await rejection(rename.execute()))).toBe('retry');
  await holder.end();
  await rename.execute();
});

test('when an instance is suspended within a transaction, then the others wait for its locks only briefly', async () => {
  const url = await freshMariadbUrl();
  const [frozen, other] = [await opened(url), await opened(url)];
  await writeAgent(frozen, 'a');
  const held = Promise.withResolvers<void>();
  const thawed = Promise.withResolvers<void>();
  let attempts = 0;
  const transaction = frozen.transaction(async (trx) => {
    await trx.updateTable('agent').set({ name: 'frozen' }).execute();
    held.resolve();
    if (++attempts === 1) await thawed.promise;
  });
  await held.promise;
  await other.kysely.updateTable('agent').set({ name: 'other' }).execute();
  thawed.resolve();
  await transaction;
  // More often if this process was really suspended.
  expect(attempts).toBeGreaterThanOrEqual(2);
});

/** Connections whose statement sleeps. */
const asleep = sql<{ id: number }>`select id from information_schema.processlist
  where db = database() and state = 'User sleep'`;

test('when all connections break at once, then running and waiting work is still done', async () => {
  const url = await freshMariadbUrl();
  const patient = { statementMs: 60_000, acquireMs: 60_000, repeatMs: 60_000 };
  const [db, operator] = [await opened(url, patient), await opened(url)];
  let seconds = 50;
  const begin = (count: number) =>
    Array.from({ length: count }, () =>
      db.transaction(async (trx) => {
        await sql`select sleep(${seconds})`.execute(trx);
        await trx.insertInto('agent').values({ name: 'a' }).execute();
      }),
    );
  const running = begin(32);
  await expect.poll(async () => (await asleep.execute(operator.kysely)).rows).toHaveLength(32);
  const { rows } = await asleep.execute(operator.kysely);
  seconds = 0;
  const waiting = begin(68);
  for (const { id } of rows) await sql.raw(`kill ${id}`).execute(operator.kysely);
  await Promise.all([...running, ...waiting]);
  expect(await countAgents(db)).toBe(100);
});

test('when more transactions run than there are connections, then they share the connections', async () => {
  const db = await opened(await freshMariadbUrl(), { acquireMs: 30_000 });
  const work = () =>
    db.transaction(async (trx) => {
      await sql`select sleep(0.01)`.execute(trx);
      await trx.insertInto('agent').values({ name: 'a' }).execute();
    });
  // Twice as many as there are connections.
  await Promise.all(Array.from({ length: 64 }, work));
  expect(await countAgents(db)).toBe(64);
});

test('when no further connection can be opened, then all work shares the open ones', async () => {
  const proxy = await startProxy(await freshMariadbUrl());
  const db = await opened(proxy.url, { acquireMs: 60_000 });
  await db.ping();
  proxy.stallNew();
  // Longer than a connection may take to open.
  const first = sql`select sleep(3.5)`.execute(db.kysely);
  const others = Array.from({ length: 9 }, () => sql`select 1`.execute(db.kysely));
  const answers = await Promise.all([first, ...others]);
  expect(answers.flatMap(({ rows }) => rows)).toHaveLength(10);
});

test('when the open connections are busy and another can be opened again, then a waiter gets it', async () => {
  const url = await freshMariadbUrl();
  const proxy = await startProxy(url);
  const db = await opened(proxy.url, { acquireMs: 60_000, statementMs: 60_000 });
  // Ended when the database is closed.
  for (const _ of [1, 2]) sql`select sleep(50)`.execute(db.kysely).catch(() => {});
  await expect.poll(() => db.load().connections).toEqual({ busy: 2, idle: 0 });
  const stalled = proxy.stallNew();
  const waiting = Array.from({ length: 3 }, () => sql`select 1`.execute(db.kysely));
  await expect.poll(stalled).toBe(3);
  proxy.acceptNew();
  await Promise.all(waiting);

  expect((await asleep.execute((await opened(url)).kysely)).rows).toHaveLength(2);
});

test('when all connections are busy, then waiting for one ends as unavailable', async () => {
  const url = await freshMariadbUrl();
  const db = await opened(url, { acquireMs: 1000, statementMs: 120_000, lockWaitS: 120 });
  const blocker = await createConnection(url);
  onTestFinished(() => blocker.end());
  await blocker.query('lock tables agent write');
  // On a starved machine, opening a connection can take longer than a caller waits for one.
  const hold = (): Promise<number> =>
    countAgents(db).catch((error) => (classify(error) === 'unavailable' ? hold() : Promise.reject(error)));
  const blocked: Promise<number>[] = [];
  while (blocked.length < 32) {
    blocked.push(hold());
    await expect.poll(() => db.load().connections?.busy, { interval: 5 }).toBe(blocked.length);
  }
  expect(classify(await rejection(countAgents(db)))).toBe('unavailable');
  await blocker.query('unlock tables');
  await Promise.all(blocked);
  expect(await countAgents(db)).toBe(0);
});

test('when a host of the cluster is down from the start or goes down later, then the next one is used', async () => {
  const url = await freshMariadbUrl();
  const [first, second] = [await startProxy(url), await startProxy(url)];
  const hosts = [`127.0.0.1:${await freePort()}`, new URL(first.url).host, new URL(second.url).host];
  const db = await opened(url.replace(new URL(url).host, hosts.join(',')));
  await Promise.all(Array.from({ length: 10 }, (_, n) => writeAgent(db, `first ${n}`)));

  await first.stop();
  await db.transaction((trx) => trx.insertInto('agent').values({ name: 'second' }).execute());
  expect(await countAgents(db)).toBe(11);
});

test('when a host of the cluster hangs, then waiting work continues on the next one', async () => {
  const url = await freshMariadbUrl();
  const [first, second] = [await startProxy(url), await startProxy(url)];
  const hosts = [new URL(first.url).host, new URL(second.url).host];
  const db = await opened(url.replace(new URL(url).host, hosts.join(',')));
  await writeAgent(db, 'before');

  first.stall();
  const [agents] = await Promise.all([
    countAgents(db),
    db.transaction((trx) => trx.insertInto('agent').values({ name: 'meanwhile' }).execute()),
  ]);
  expect(agents).toBeLessThanOrEqual(2);
  await db.ping();
  expect(await countAgents(db)).toBe(2);
});

test('when a node has left the cluster, then its connections are closed', async () => {
  const url = await freshMariadbUrl();
  const db = await opened(url);
  let attempts = 0;
  const threads = new Set<unknown>();
  await db.transaction(async (trx) => {
    const { rows } = await sql<{ id: number }>`select connection_id() as id`.execute(trx);
    threads.add(rows[0]?.id);
    if (++attempts === 1) await sql`signal sqlstate '08S01' set mysql_errno = 1047`.execute(trx);
  });
  expect(attempts).toBeGreaterThanOrEqual(2);
  expect(threads.size).toBe(attempts);
});

test('when a session is opened, then it is strict, in UTC, and reads what is committed', async () => {
  const db = await opened(await freshMariadbUrl());
  const { rows } = await sql<Record<string, string>>`select @@sql_mode as mode, @@session.time_zone as zone,
    @@session.tx_isolation as isolation, @@session.wsrep_sync_wait as sync, @@collation_connection as collation`.execute(
    db.kysely,
  );
  expect(rows[0]).toMatchObject({
    zone: '+00:00',
    isolation: 'READ-COMMITTED',
    sync: 1,
    collation: 'utf8mb4_bin',
  });
  expect(rows[0]?.mode).toContain('STRICT_ALL_TABLES');
});

test('when the database cannot be used, then one clear line says why, without the password', async () => {
  const url = new URL(await freshMariadbUrl());
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void silent.close());
  const address = silent.address();
  const silentPort = typeof address === 'object' ? address?.port : undefined;

  const mistakes: [Partial<Record<'password' | 'pathname' | 'port' | 'hostname', string>>, RegExp][] = [
    [{ password: 'wrong-secret' }, /Access denied/],
    [{ pathname: '/nowhere' }, /Unknown database/],
    [{ port: String(await freePort()) }, /ECONNREFUSED/],
    [{ port: String(silentPort) }, /ETIMEDOUT/],
    [{ hostname: 'localhost', port: String(await freePort()) }, /ECONNREFUSED/],
  ];
  for (const [change, reason] of mistakes) {
    const target = Object.assign(new URL(url.href), change);
    const error = await rejection(openDatabase(target.href));
    expect(classify(error)).toBe('unavailable');
    expect(String(error)).toMatch(reason);
    expect(String(error)).not.toContain('\n');
    expect(String(error)).not.toContain(decodeURIComponent(target.password));
  }
});

test('when an address is parsed, then hosts, encoded secrets and IPv6 are understood', () => {
  const target = parseMysqlUrl('mysql://us%40er:p%2F:@ss@db1,db2:3307,[::1]:3308/game%20app');
  expect(target).toEqual({
    user: 'us@er',
    password: 'p/:@ss',
    hosts: [
      { host: 'db1', port: 3306 },
      { host: 'db2', port: 3307 },
      { host: '::1', port: 3308 },
    ],
    database: 'game app',
  });
  expect(target && describeTarget(target)).toBe('mysql://us@er@db1:3306,db2:3307,[::1]:3308/game app');
});

test.each([
  'mysql://',
  'mysql://host',
  'mysql://u:p@host/',
  'mysql://u:p@/name',
  'mysql://u:p@h:x/n',
  'postgres://u:p@h/n',
])('when the address is %s, then it is refused', async (url) => {
  expect(parseMysqlUrl(url)).toBeUndefined();
  expect(classify(await rejection(openDatabase(url)))).toBe('unavailable');
});
