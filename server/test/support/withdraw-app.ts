import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { startZone, type Zone, type ZoneOptions } from '@gatehouse/simulators/zone';
import { onTestFinished } from 'vitest';
import { tempDir } from '../../../test-support/process.ts';
import { patientRedisTimeouts } from '../../../test-support/shared-servers.ts';
import type { App } from '../../src/app.ts';
import { migrate } from '../../src/db/migrate.ts';
import { type Db, openDatabase } from '../../src/db/open.ts';
import type { OnFailpoint } from '../../src/features/withdraw/process/failpoints.ts';
import { startService } from '../../src/main.ts';
import { parseSettings } from '../../src/settings/load.ts';
import { type Client, clientFrom, type Reply } from './client.ts';

type Table = Record<string, unknown>;

export interface Player {
  readonly id: number;
  readonly account: string;
  readonly token: string;
}

/** A service with zones and players, ready to withdraw. Closed after the test. */
export interface WithdrawApp {
  readonly zone: Zone;
  readonly zones: readonly Zone[];
  readonly service: App;
  readonly db: Db;
  readonly databaseUrl: string;
  readonly gamesUrl: string;
  /** The settings it runs with, for a second instance or the CLI. */
  readonly settings: Table;
  readonly url: string;
  /** Returns a client of the same service from another address. */
  from(address: string): Client;
  player(account: string): Promise<Player>;
  withdraw(player: Player, body: Table, key?: string): Promise<Reply>;
  get(player: Player, path: string): Promise<Reply>;
  /** Starts a second instance in this process, on the same database. */
  startInstance(
    onFailpoint?: OnFailpoint,
  ): Promise<Pick<WithdrawApp, 'withdraw' | 'service' | 'from' | 'url'> & { stop(): Promise<void> }>;
  stop(): Promise<void>;
}

export interface WithdrawAppOptions {
  readonly settings?: Table;
  readonly zone?: Partial<ZoneOptions>;
  /** Columns of the first zone's row in the `server` table. */
  readonly row?: Table;
  readonly serverIds?: readonly number[];
  /** Server of the game databases; a folder of SQLite files by default. */
  readonly gamesUrl?: string;
  readonly onFailpoint?: OnFailpoint;
}

export async function startWithdrawApp(
  databaseUrl: string,
  options: WithdrawAppOptions = {},
): Promise<WithdrawApp> {
  const gamesUrl = options.gamesUrl ?? `sqlite:${tempDir('games')}`;
  const zones = await Promise.all(
    (options.serverIds ?? [1]).map((serverId) =>
      startZone({ ...options.zone, serverId, database: gamesUrl }),
    ),
  );
  onTestFinished(async () => void (await Promise.allSettled(zones.map((zone) => zone.stop()))));
  const [zone] = zones;
  if (!zone) throw new Error('a withdraw app needs a zone');

  const db = await openDatabase(databaseUrl);
  onTestFinished(() => db.close());
  await migrate(db);
  for (const each of zones) {
    const row = { server_id: each.serverId, name: `Zone ${each.serverId}`, address: '127.0.0.1', port: 7000 };
    await db.kysely
      .insertInto('server')
      .values({ ...row, gm_url: each.gmUrl, ...(each === zone && options.row) })
      .execute();
  }

  const folder = tempDir('app');
  const given = options.settings ?? {};
  const settings: Table = {
    port: 0,
    host: '127.0.0.1',
    trust_proxy: ['127.0.0.1'],
    log: { file: join(folder, 'service.log') },
    auth: { password_key: 'old-generation-key', jwt_secret: randomBytes(32).toString('hex') },
    ...given,
    database: { url: databaseUrl },
    zones: { database_url: gamesUrl, ...(given.zones as Table) },
    gm: { ...(given.gm as Table) },
  };

  async function open(onFailpoint?: OnFailpoint) {
    const service = await startService({
      settings: parseSettings(settings),
      redisTimeouts: patientRedisTimeouts,
      ...(onFailpoint && { onFailpoint }),
    });
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= service.stop();
      return stopped;
    };
    onTestFinished(stop);
    const url = `http://127.0.0.1:${service.port}`;
    const client = clientFrom(url, '198.18.0.1');
    return {
      url,
      client,
      from: (address: string) => clientFrom(url, address),
      stop,
      service: service.app,
      withdraw: ({ token }: Player, body: Table, key?: string) =>
        client.post('/api/game/withdraw', body, {
          token,
          ...(key !== undefined && { headers: { 'idempotency-key': key } }),
        }),
    };
  }

  const first = await open(options.onFailpoint);
  return {
    zone,
    zones,
    db,
    databaseUrl,
    gamesUrl,
    settings,
    ...first,
    startInstance: open,
    get: ({ token }, path) => first.client.get(path, { token }),
    async player(account) {
      const { insertId } = await db.kysely.insertInto('player').values({ account }).executeTakeFirstOrThrow();
      const id = Number(insertId);
      return {
        id,
        account,
        token: first.service.security.tokens.issue({ playerId: id, account, version: 0 }).token,
      };
    },
  };
}

export async function addPlayerWithRole(app: WithdrawApp, balance = 1000, account = 'alice') {
  const player = await app.player(account);
  const role = await app.zone.addRole({ account, name: `Hero of ${account}`, balance });
  return { player, role, body: { server_id: app.zone.serverId, role: role.name, amount: 100 } };
}

export function recordOf({ db }: WithdrawApp, id: string) {
  return db.kysely.selectFrom('withdraw').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

export function eventsOf({ db }: WithdrawApp, id: string) {
  return db.kysely
    .selectFrom('withdraw_event')
    .selectAll()
    .where('withdraw_id', '=', id)
    .orderBy('seq')
    .execute();
}

/** Returns the events without repeated claims: a process that is suspended for a second after its claim claims again. */
export async function movesOf(app: WithdrawApp, id: string) {
  return (await eventsOf(app, id)).filter(({ why }) => why !== 'claimed again');
}

export async function openRecords({ db }: WithdrawApp) {
  return db.kysely
    .selectFrom('withdraw')
    .selectAll()
    .where((eb) =>
      eb.or([eb('open_key', 'is not', null), eb('state', 'in', ['accepted', 'sending', 'unknown'])]),
    )
    .execute();
}

/** Moves a record's last change into the past. */
export async function backdate({ db }: WithdrawApp, id: string, ms: number): Promise<void> {
  await db.kysely
    .updateTable('withdraw')
    .set(({ eb }) => ({ updated_at: eb('updated_at', '-', ms) }))
    .where('id', '=', id)
    .execute();
}

/** Returns the amount the account has withdrawn today. */
export async function daySum({ db }: WithdrawApp, player: Player): Promise<number> {
  const row = await db.kysely
    .selectFrom('withdraw_day')
    .select('amount')
    .where('player_id', '=', player.id)
    .executeTakeFirst();
  return row?.amount ?? 0;
}
