import { hash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Gatehouse, startGatehouse } from '../../../test-support/gatehouse.ts';
import { type Nginx, startNginx } from '../../../test-support/nginx.ts';
import { siteConfiguration } from '../../../test-support/nginx-site.ts';
import { freePort, tempDir } from '../../../test-support/process.ts';
import {
  createMovableClock,
  findFaketimeLibrary,
  type MovableClock,
  shiftedClock,
} from '../../../test-support/shifted-clock.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openDatabase } from '../../src/db/open.ts';
import { addPlayers, addZones, type Player } from '../money/environment.ts';
import { firstInstancePlace, type Parts, SAVE_INTERVAL_S } from './parts.ts';

/** The real service, or a wrong one that the run must detect. */
export type Variant = 'gatehouse' | 'early-answer' | 'blind-retry';

/** Three service processes behind nginx, on their own database. */
export interface Deployment {
  readonly services: readonly Gatehouse[];
  readonly nginx: Nginx;
  /** Port of nginx. */
  readonly port: number;
  /** The clock of the last process; undefined without libfaketime. */
  readonly clock: MovableClock | undefined;
  readonly database: string;
  readonly databaseUrl: string;
  readonly players: readonly Player[];
  /** How many processes ended without being killed. */
  readonly crashes: number;
  /** Resolves when every process is ready; restarts those that died, as systemd would. */
  healthy(): Promise<void>;
  close(): Promise<void>;
}

export const PASSWORD = 'Correct-Horse-42';
export const PASSWORD_KEY = 'cluster';
/** The legacy token of every player. */
export const PASSWORD_HASH = hash('md5', PASSWORD + PASSWORD_KEY);
const TIMEOUT_MS = 60_000;
/** Clock offset of each process if they are apart. */
const CLOCKS_S = [-20, 0, 20];

export async function deploy(options: {
  parts: Parts;
  variant: Variant;
  roles: number;
  /** Gives each process its own node and clock, and issues tickets; otherwise all agree. */
  apart?: boolean;
}): Promise<Deployment> {
  const { parts, variant, roles, apart = false } = options;
  const { network } = parts;
  const database = `cluster_${randomBytes(4).toString('hex')}`;
  const databaseUrl = await parts.galera.createDatabase(database);
  const secret = randomBytes(32).toString('hex');
  const players = await fill({ databaseUrl, parts, roles, secret });
  await using opening = new AsyncDisposableStack();

  const settings = {
    database: { url: databaseUrl },
    redis: { url: parts.redis.url },
    mail: { url: parts.mail.url },
    auth: { password_key: PASSWORD_KEY, jwt_secret: secret, ...(apart && { game_token: 'ticket' }) },
    trust_proxy: ['127.0.0.1', ...(network === undefined ? [] : [network.hub])],
    day_max_reg: 1_000_000,
    code_throttle: { address: { limit: 1_000_000 } },
    login_throttle: { player: { limit: 1_000_000 } },
    zones: { database_url: parts.games.url, save_interval: SAVE_INTERVAL_S },
    gm: { timeout: 1, receipt_operation: 10031, receipt_after: 3 },
    withdraw: { daily_max: 100_000_000, requests_per_minute: 1_000_000, refused_per_day: 1_000_000 },
    chat: { limit: 1_000_000, bytes: 10 ** 12 },
    challenge: { mode: 'off' },
    log: { level: 'warn' },
  };
  const clock = apart || findFaketimeLibrary() === undefined ? undefined : createMovableClock();
  const clockOf = (index: number, offset: number) => {
    if (apart) return shiftedClock(offset);
    return index === CLOCKS_S.length - 1 ? clock?.env : undefined;
  };
  const services = await Promise.all(
    CLOCKS_S.map((offset, index) =>
      startGatehouse({
        settings: apart ? { ...settings, database: { url: beginningAt(index, databaseUrl) } } : settings,
        env: clockOf(index, offset) ?? {},
        place: network?.places[firstInstancePlace + index],
        ...(variant !== 'gatehouse' && {
          entry: join(import.meta.dirname, 'wrong-service.ts'),
          args: ['--variant', variant],
        }),
      }),
    ),
  );
  opening.defer(async () => void (await Promise.all(services.map((service) => service.stop()))));
  const port = await freePort();
  const backends = services.map(({ url }) => new URL(url).host);
  const nginx = await startNginx({
    conf: siteConfiguration({ listen: [`127.0.0.1:${port}`], backends, root: tempDir('site') }),
  });
  opening.defer(nginx.kill);
  const opened = opening.move();
  let crashes = 0;

  return {
    services,
    nginx,
    port,
    clock,
    database,
    databaseUrl,
    players,
    get crashes() {
      return crashes;
    },
    async healthy() {
      for (const service of services) {
        if (!service.isRunning) crashes += 1;
        await startUntilReady(service);
      }
    },
    close: () => opened.disposeAsync(),
  };
}

/** Returns the same cluster URL with another node first, which is the one used. */
function beginningAt(index: number, databaseUrl: string): string {
  const url = /^(.*@)([^/]+)(\/.*)$/.exec(databaseUrl);
  if (url === null) throw new Error('not the address of a cluster');
  const [, user = '', hosts = '', name = ''] = url;
  const nodes = hosts.split(',');
  return `${user}${[...nodes.slice(index), ...nodes.slice(0, index)].join(',')}${name}`;
}

/** Restarts it until it reports ready. */
export async function startUntilReady(service: Gatehouse): Promise<void> {
  for (const deadline = Date.now() + TIMEOUT_MS; ; await sleep(100)) {
    try {
      if (!service.isRunning) await service.restart();
      const { ok } = await fetch(`${service.url}/api/health/ready`, { signal: AbortSignal.timeout(2000) });
      if (ok) return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    if (Date.now() > deadline) throw new Error(`${service.url} is not ready`);
  }
}

async function fill(options: {
  databaseUrl: string;
  parts: Parts;
  roles: number;
  secret: string;
}): Promise<Player[]> {
  const { parts, roles, secret } = options;
  const { zones } = parts;
  const db = await openDatabase(options.databaseUrl);
  await migrate(db);
  await addZones(db, zones);
  const players = await addPlayers({ db, zones, roles, secret });
  await db.kysely.updateTable('player').set({ password_hash: PASSWORD_HASH }).execute();
  await db.close();
  return players;
}
