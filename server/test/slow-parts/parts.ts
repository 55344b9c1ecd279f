import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPlainForum } from '@gatehouse/simulators/forum/plain';
import { startZone, type Zone } from '@gatehouse/simulators/zone';
import { type Gatehouse, type SettingsTable, startGatehouse } from '../../../test-support/gatehouse.ts';
import { type Mariadb, startMariadb } from '../../../test-support/mariadb.ts';
import { freePort, tempDir } from '../../../test-support/process.ts';
import { type Redis, startRedis } from '../../../test-support/redis.ts';
import { startSlowProxy } from '../../../test-support/slow-proxy.ts';
import { type Smtp, startSmtp } from '../../../test-support/smtp.ts';
import { migrate } from '../../src/db/migrate.ts';
import { type Db, openDatabase } from '../../src/db/open.ts';
import { PASSWORD_HASH, PASSWORD_KEY } from '../cluster/deployment.ts';
import { addPlayers, type Player } from '../money/environment.ts';

/** What can be slow. `statement`: one row of our database is locked, so that a statement waits. */
export const dependencies = [
  'smtp',
  'forum',
  'gm',
  'games',
  'database',
  'statement',
  'redis',
  'dns',
] as const;
export type Dependency = (typeof dependencies)[number];

/** One process of the service whose every dependency is behind a proxy. */
export interface SlowParts {
  readonly service: Gatehouse;
  readonly smtp: Smtp;
  readonly redis: Redis;
  readonly own: Mariadb;
  readonly zones: readonly Zone[];
  readonly players: readonly Player[];
  readonly databaseUrl: string;
  /** Why this dependency cannot be made slow here; undefined if it can. */
  without(dependency: Dependency): string | undefined;
  /** Makes it answer this late; 0 ends that. */
  slow(dependency: Dependency, delayMs: number): Promise<void>;
  close(): Promise<void>;
}

const ROLES = 60;
const NAME_SERVER = '127.0.0.54';
/** A name that no hosts file has: only the name server knows it. */
const HOST = 'host.slow-parts.test';

/** `env` is of the service and of its database; `settings` are added to the service's. */
export async function startSlowParts({
  env = {},
  settings = {},
}: {
  env?: NodeJS.ProcessEnv;
  settings?: SettingsTable;
} = {}): Promise<SlowParts> {
  await using opening = new AsyncDisposableStack();
  const own = await startMariadb({ env: { ...process.env, ...env } });
  opening.defer(own.kill);
  const games = await startMariadb();
  opening.defer(games.kill);
  const redis = await startRedis();
  opening.defer(redis.kill);
  const smtp = await startSmtp();
  opening.defer(smtp.stop);
  const port = await freePort();
  const forum = await startPlainForum({
    publicUrl: `http://127.0.0.1:${port}`,
    visitor: { user: { id: 1 } },
  });
  opening.defer(forum.stop);
  const zones = await Promise.all(
    [1, 2].map((serverId) => startZone({ serverId, database: games.url, receipts: true, saveInterval: 2 })),
  );
  opening.defer(async () => void (await Promise.allSettled(zones.map((zone) => zone.stop()))));

  const proxyOf = async (target: number) => {
    const proxy = await startSlowProxy(target);
    opening.defer(proxy.stop);
    return proxy;
  };
  const forumPort = Number(new URL(String(forum.settings.token_url)).port);
  const gmProxies = await Promise.all(zones.map((zone) => proxyOf(Number(new URL(zone.gmUrl).port))));
  const proxies = {
    smtp: [await proxyOf(smtp.port)],
    forum: [await proxyOf(forumPort)],
    gm: gmProxies,
    games: [await proxyOf(games.port)],
    database: [await proxyOf(own.port)],
    redis: [await proxyOf(redis.port)],
  };
  const through = (url: string, from: number, { port: to } = { port: 0 }) =>
    url.replace(`:${from}`, `:${to}`);

  const databaseUrl = await own.createDatabase('slow_parts');
  const secret = randomBytes(32).toString('hex');
  const db = await openDatabase(databaseUrl);
  opening.defer(db.close);
  await migrate(db);
  const names = await startNameServer();
  opening.defer(names.stop);
  const host = names.isUsed ? HOST : '127.0.0.1';
  await addSlowZones(db, zones, { host, proxies: gmProxies });
  const players = await addPlayers({ db, zones, roles: ROLES, secret });
  await db.kysely.updateTable('player').set({ password_hash: PASSWORD_HASH }).execute();

  const forumSettings = Object.fromEntries(
    Object.entries(forum.settings).map(([name, value]) => [
      name,
      // The browser's own way to the forum is not slow.
      typeof value === 'string' && name !== 'authorize_url'
        ? through(value, forumPort, proxies.forum[0])
        : value,
    ]),
  );
  const service = await startGatehouse({
    ...(names.isUsed && { node: names.command }),
    env,
    settings: {
      port,
      database: { url: through(databaseUrl, own.port, proxies.database[0]) },
      redis: { url: through(redis.url, redis.port, proxies.redis[0]) },
      mail: {
        url: through(smtp.url, smtp.port, proxies.smtp[0]).replace('127.0.0.1', host),
      },
      forum: forumSettings,
      auth: { password_key: PASSWORD_KEY, jwt_secret: secret },
      day_max_reg: 1_000_000,
      code_throttle: { address: { limit: 1_000_000 } },
      login_throttle: { player: { limit: 1_000_000 } },
      zones: { database_url: through(games.url, games.port, proxies.games[0]), save_interval: 20 },
      gm: { timeout: 1, receipt_operation: 10031, receipt_after: 3 },
      withdraw: { daily_max: 100_000_000, requests_per_minute: 1_000_000, refused_per_day: 1_000_000 },
      chat: { limit: 1_000_000, bytes: 10 ** 12 },
      log: { level: 'warn' },
      ...settings,
    },
  });
  opening.defer(() => service.stop());

  const locks = rowLock(own);
  opening.defer(locks.release);
  const opened = opening.move();
  return {
    service,
    smtp,
    redis,
    own,
    zones,
    players,
    databaseUrl,
    without: (dependency) => (dependency === 'dns' && !names.isUsed ? 'needs root' : undefined),
    async slow(dependency, delayMs) {
      if (dependency === 'statement') return delayMs === 0 ? locks.release() : locks.hold(delayMs);
      if (dependency === 'dns') return names.setDelay(delayMs);
      for (const proxy of proxies[dependency]) proxy.setDelay(delayMs);
    },
    close: () => opened.disposeAsync(),
  };
}

async function addSlowZones(
  db: Db,
  zones: readonly Zone[],
  { host, proxies }: { host: string; proxies: readonly { port: number }[] },
): Promise<void> {
  await db.kysely
    .insertInto('server')
    .values(
      zones.map((zone, index) => {
        const url = new URL(zone.gmUrl);
        url.hostname = host;
        url.port = String(proxies[index]?.port);
        return {
          server_id: zone.serverId,
          name: `Zone ${zone.serverId}`,
          address: '127.0.0.1',
          port: 7000,
          gm_url: url.href,
        };
      }),
    )
    .execute();
}

/** Locks the row of the day's registrations again and again, each time for this long. */
function rowLock(own: Mariadb) {
  let holding: Promise<void> = Promise.resolve();
  let isHeld = false;
  return {
    async hold(forMs: number): Promise<void> {
      isHeld = true;
      const piece = Math.min(forMs, 1000) / 1000;
      const sleeps = `DO SLEEP(${piece});`.repeat(Math.ceil(forMs / 1000));
      holding = (async () => {
        while (isHeld)
          await own.execute(
            `START TRANSACTION; UPDATE slow_parts.day_counter SET n = n + 0; ${sleeps} ROLLBACK`,
          );
      })();
      holding.catch(() => {});
    },
    async release(): Promise<void> {
      isHeld = false;
      await holding;
    },
  };
}

/**
 * A name server that can be silent, for the service alone: it runs in a mount namespace in which resolv.conf names this server.
 * Needs root; without it, names are not used.
 */
async function startNameServer() {
  if (process.getuid?.() !== 0 || process.platform !== 'linux')
    return { isUsed: false, command: '', setDelay() {}, stop: async () => {} };
  const socket = createSocket('udp4');
  let delay = 0;
  const timers = new Set<NodeJS.Timeout>();
  socket.on('message', (query, from) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      socket.send(addressAnswer(query), from.port, from.address);
    }, delay);
    timers.add(timer);
  });
  const isUsed = await new Promise<boolean>((resolve) => {
    socket.once('error', () => resolve(false));
    socket.bind(53, NAME_SERVER, () => resolve(true));
  });
  const folder = tempDir('names');
  const resolvConf = join(folder, 'resolv.conf');
  writeFileSync(resolvConf, `nameserver ${NAME_SERVER}\n`);
  const command = join(folder, 'node');
  const inner = `mount --bind ${resolvConf} /etc/resolv.conf && exec "$0" "$@"`;
  writeFileSync(command, `#!/bin/sh\nexec unshare --mount sh -c '${inner}' ${process.execPath} "$@"\n`, {
    mode: 0o755,
  });
  return {
    isUsed,
    command,
    setDelay(ms: number): void {
      delay = ms;
    },
    async stop(): Promise<void> {
      for (const timer of timers) clearTimeout(timer);
      if (isUsed) socket.close();
    },
  };
}

/** Answers every question for an IPv4 address with 127.0.0.1, and others with no record. */
function addressAnswer(query: Buffer): Buffer {
  const end = query.indexOf(0, 12) + 5;
  const isAddress = query.readUInt16BE(end - 4) === 1;
  const head = Buffer.from(query.subarray(0, end));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(isAddress ? 1 : 0, 6);
  head.fill(0, 8, 12);
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1]);
  return isAddress ? Buffer.concat([head, record]) : head;
}
