import { readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { startZone } from '@gatehouse/simulators/zone';
import { expect, onTestFinished, test } from 'vitest';
import { createAuthority } from '../../test-support/certificates.ts';
import { freshMariadbUrl } from '../../test-support/engines.ts';
import { createDatabase, startMariadb } from '../../test-support/mariadb.ts';
import { freePort, tempDir } from '../../test-support/process.ts';
import { sharedMariadbUrl } from '../../test-support/shared-servers.ts';
import { gameDatabases } from '../src/integrations/game-database.ts';
import { parseSettings } from '../src/settings/load.ts';
import { startSilentServer } from './support/silent-server.ts';
import { addPlayerWithRole, startWithdrawApp } from './support/withdraw-app.ts';

function databasesAt(database_url: string, zones: object = {}) {
  const auth = { password_key: 'x', jwt_secret: 'x'.repeat(32) };
  return gameDatabases(parseSettings({ auth, zones: { database_url, ...zones } }).zones);
}

test('when the games are on MariaDB, then they are only read, and no connection stays open', async () => {
  const games = await startMariadb();
  onTestFinished(games.kill);
  const app = await startWithdrawApp(await freshMariadbUrl(), { gamesUrl: games.url });
  const { player, role, body } = await addPlayerWithRole(app);
  const connections = async () =>
    ((await games.execute('SHOW PROCESSLIST')) as { db: string | null; Info: string | null }[]).length;
  const before = await connections();
  await games.execute("SET GLOBAL log_output = 'TABLE', GLOBAL general_log = 1");

  expect((await app.withdraw(player, body)).status).toBe(200);
  expect((await app.get(player, '/api/game/roles?server_id=1')).body.roles).toMatchObject([
    { role_id: role.id },
  ]);

  // The connection of an earlier command may still have been listed before.
  await expect.poll(connections).toBeLessThanOrEqual(before);
  const log = (await games.execute(
    'SELECT command_type AS kind, CONVERT(argument USING utf8mb4) AS text FROM mysql.general_log',
  )) as { kind: string; text: string }[];
  const prepared = log.filter(({ kind }) => kind === 'Execute');
  expect(prepared).toHaveLength(3);
  expect(prepared.filter(({ text }) => !text.startsWith('SELECT'))).toEqual([]);
  expect(log.filter(({ text }) => text === 'SET SESSION TRANSACTION READ ONLY')).toHaveLength(3);
});

test('when a game database takes too long, then its server ends the statement', async () => {
  const server = sharedMariadbUrl();
  const { createConnection } = await import('mysql2/promise');
  const connection = await createConnection({ uri: await createDatabase(server, 'slow_78') });
  onTestFinished(() => connection.end());
  await connection.query(
    'CREATE TABLE roles (actorid INT, actorname TEXT, accountname TEXT, nonbindyuanbao INT)',
  );
  await connection.query("INSERT INTO roles VALUES (1, 'r', 'ann', 5)");
  await connection.query('CREATE VIEW actors AS SELECT *, SLEEP(600) AS level FROM roles');
  const database = databasesAt(server, { database_name: 'slow_{server_id}' });
  await expect(database({ serverId: 78, databaseUrl: null }).roleById(1)).rejects.toThrow();
  const running = async () => {
    const [rows] = await connection.query('SHOW FULL PROCESSLIST');
    return (rows as { db: string | null; Info: string | null }[]).filter(
      ({ db, Info }) => db === 'slow_78' && Info?.startsWith('SELECT'),
    ).length;
  };
  await expect.poll(running).toBe(0);
});

test('when database_url names a host that is not allowed, then nothing is sent there', async () => {
  const seen: unknown[] = [];
  const port = await freePort();
  const server = createServer((socket) => {
    seen.push(socket.remoteAddress);
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const read = (host: string, allowed_hosts: string[]) =>
    databasesAt('sqlite:nowhere', { allowed_hosts })({
      serverId: 1,
      databaseUrl: `mysql://u:p@${host}:${port}`,
    }).roleById(1);
  for (const host of ['127.0.0.1', 'localhost'])
    await expect(read(host, ['10.0.0.0/8'])).rejects.toThrow('is not in zones.allowed_hosts');
  await expect(read('169.254.169.254', [])).rejects.toThrow('is not in zones.allowed_hosts');
  expect(seen).toEqual([]);
  await expect(read('localhost', ['localhost'])).rejects.toThrow();
  await expect.poll(() => seen).toHaveLength(1);
});

test('when the game’s collation ignores accents and case, then only our own account’s roles are returned', async () => {
  const zone = await startZone({ serverId: 1, database: sharedMariadbUrl() });
  onTestFinished(zone.stop);
  for (const [index, account] of ['Zoë', 'Zoe', 'ZOE', 'zoe ', 'zoe2'].entries())
    await zone.addRole({ account, name: `Role ${index}`, balance: index });
  const database = databasesAt(sharedMariadbUrl())({ serverId: 1, databaseUrl: null });

  expect((await database.rolesOf('zoe')).map(({ name }) => name)).toEqual(['Role 1', 'Role 2', 'Role 3']);
  expect((await database.rolesOf('Zoë')).map(({ name }) => name)).toEqual(['Role 0']);
  expect(await database.rolesOf("' OR 1=1 -- ")).toEqual([]);
  const role = zone.roles()[3];
  expect(await database.roleById(role?.id ?? 0)).toMatchObject({ name: 'Role 3', balance: 3 });
  expect(await database.roleById(4)).toBeUndefined();
});

test('when the schema differs, then the settings describe it, and a zone may have its own server', async () => {
  const server = sharedMariadbUrl();
  const url = await createDatabase(server, 'game_77');
  const { createConnection } = await import('mysql2/promise');
  const connection = await createConnection({ uri: url });
  await connection.query(
    'CREATE TABLE chars (id BIGINT UNSIGNED, title VARBINARY(60), owner VARCHAR(40), lv DECIMAL(5), gold DECIMAL(20))',
  );
  await connection.query("INSERT INTO chars VALUES (9007199254740991, '名字', 'bob', 7, 123456789012)");
  await connection.query("INSERT INTO chars VALUES (2, 'Rich', 'ann', 1, 99999999999999999999)");
  await connection.end();
  const columns = { role_id: 'id', role_name: 'title', account: 'owner', level: 'lv', balance: 'gold' };
  const databases = databasesAt('sqlite:nowhere', {
    database_name: 'game_{server_id}',
    table: 'chars',
    columns,
  });

  const database = databases({ serverId: 77, databaseUrl: server });

  expect(await database.rolesOf('Bob')).toEqual([
    { roleId: 9007199254740991, name: '名字', level: 7, balance: 123456789012, online: undefined },
  ]);
  await expect(database.rolesOf('ann')).rejects.toThrow('whole number');
});

test('when one account queries repeatedly while a game database hangs, then it holds two connections and the others are free', async () => {
  const { url, sockets } = await startSilentServer();
  const database = databasesAt(url)({ serverId: 1, databaseUrl: null });
  const pending = Array.from({ length: 30 }, () => database.rolesOf('Greedy'));
  const other = database.rolesOf('modest');
  await expect.poll(() => sockets.size).toBe(3);
  const answers = await Promise.allSettled([...pending, other]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['rejected']));
});

test('when a game database hangs, then the query times out and its connection is free for the next', async () => {
  const { url, sockets } = await startSilentServer();
  const database = databasesAt(url)({ serverId: 1, databaseUrl: null });
  const query = () => Promise.allSettled(Array.from({ length: 20 }, () => database.roleById(1)));

  for (const _ of [1, 2]) {
    const answers = await query();
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['rejected']));
  }
  await expect.poll(() => sockets.size).toBeLessThanOrEqual(8);
});

/** Writes 16 MB packets until the peer disconnects. Returns the number of bytes written. */
async function sendEndlessly(stream: Duplex): Promise<number> {
  const packet = Buffer.alloc(4 + 0xffffff);
  packet.writeUIntLE(0xffffff, 0, 3);
  let sent = 0;
  const send = () => {
    for (let more = true; more; sent += 65_536) more = stream.write(packet.subarray(0, 65_536));
  };
  stream.on('drain', send).on('error', () => {});
  stream.write(packet);
  send();
  await new Promise((closed) => stream.once('close', closed));
  return sent;
}

/** The first packet of a server that offers TLS. */
const GREETING = Buffer.concat([
  Buffer.from('\x0a8.0.0\0\x01\0\0\0saltsalt\0\xff\xff\x2d\x02\0\xff\xdf\x15', 'latin1'),
  Buffer.alloc(10),
  Buffer.from('saltsaltsalt\0mysql_native_password\0'),
]);

test('when the server of a game database sends endlessly, then it is disconnected, also over TLS', async () => {
  const { cert, key } = createAuthority().issue('game.test');
  const files = { cert: readFileSync(cert), key: readFileSync(key) };
  const sendOverTls = async (socket: Socket) => {
    socket.write(Buffer.concat([Buffer.from([GREETING.length, 0, 0, 0]), GREETING]));
    await new Promise((asked) => socket.once('readable', asked));
    // The request for TLS; everything after it belongs to the TLS handshake.
    socket.read(36);
    return sendEndlessly(new TLSSocket(socket, { ...files, isServer: true }));
  };
  for (const [send, query] of [
    [sendEndlessly, ''],
    [sendOverTls, '?tls=unverified'],
  ] as const) {
    const taken = Promise.withResolvers<number>();
    const server = createServer((socket) => {
      send(socket).then(taken.resolve, taken.reject);
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const databaseUrl = `mysql://u:p@127.0.0.1:${port}${query}`;
    const read = databasesAt('sqlite:nowhere')({ serverId: 1, databaseUrl }).roleById(1);
    await expect(read, query).rejects.toThrow('sent too much');
    // Includes what the kernel buffers.
    expect(await taken.promise, query).toBeLessThan(32 * 1024 * 1024);
  }
});

test('when the SQLite game was closed cleanly, then it is still read', async () => {
  const folder = tempDir('games');
  const zone = await startZone({ serverId: 3, database: `sqlite:${folder}` });
  const role = await zone.addRole({ account: 'ann', name: 'Ann', balance: 5 });
  await zone.stop();
  const database = databasesAt(`sqlite:${folder}`)({ serverId: 3, databaseUrl: null });
  expect(await database.roleById(role.id)).toMatchObject({ name: 'Ann', balance: 5 });
});
