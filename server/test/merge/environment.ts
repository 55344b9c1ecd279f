import { hash, randomBytes } from 'node:crypto';
import { startZone, type Zone } from '@gatehouse/simulators/zone';
import { type Fault, faultPlan } from '@gatehouse/simulators/zone/faults';
import { type Gatehouse, startGatehouse } from '../../../test-support/gatehouse.ts';
import { tempDir } from '../../../test-support/process.ts';
import { migrate } from '../../src/db/migrate.ts';
import { type Db, openDatabase } from '../../src/db/open.ts';
import { addZones } from '../money/environment.ts';

export interface Player {
  readonly account: string;
  /** The zone that the player always names. */
  readonly home: number;
  readonly roleName: string;
}

/** Two zones, the players of each, and service processes on one database. */
export interface Environment {
  readonly db: Db;
  readonly zones: readonly Zone[];
  readonly players: readonly Player[];
  readonly services: readonly Gatehouse[];
  close(): Promise<void>;
}

export interface EnvironmentOptions {
  readonly databaseUrl: string;
  readonly processes: number;
  readonly playersPerZone: number;
  /** Share of GM commands that fail. */
  readonly faulty: number;
}

export const PASSWORD = 'Correct-Horse-42';
const PASSWORD_KEY = 'merge';
const BALANCE = 1_000_000;
const gmFaults: readonly Fault[] = [
  'timeout_before',
  'timeout_after',
  'drop_after',
  'http_500_before',
  'refuse',
];

export async function startEnvironment(options: EnvironmentOptions): Promise<Environment> {
  const { databaseUrl, processes, playersPerZone, faulty } = options;
  await using opening = new AsyncDisposableStack();
  const database = `sqlite:${tempDir('games')}`;
  const zones = await Promise.all(
    [1, 2].map((serverId) => startZone({ serverId, database, receipts: true })),
  );
  opening.defer(async () => void (await Promise.allSettled(zones.map((zone) => zone.stop()))));
  const db = await openDatabase(databaseUrl);
  opening.defer(db.close);
  await migrate(db);
  await addZones(db, zones);
  const players = await addPlayers(db, zones, playersPerZone);
  for (const zone of zones) zone.setFaults(faultPlan({ seed: zone.serverId, rate: faulty, kinds: gmFaults }));

  const settings = {
    database: { url: databaseUrl },
    auth: {
      password_key: PASSWORD_KEY,
      jwt_secret: randomBytes(32).toString('hex'),
      game_token: 'ticket',
    },
    zones: { database_url: database, save_interval: 1 },
    gm: { timeout: 1, receipt_operation: 10031, receipt_after: 1 },
    withdraw: { daily_max: 100_000_000, requests_per_minute: 1_000_000, refused_per_day: 1_000_000 },
    login_throttle: { player: { limit: 1_000_000, window: 60 } },
    log: { level: 'warn' },
  };
  const services = await Promise.all(Array.from({ length: processes }, () => startGatehouse({ settings })));
  opening.defer(async () => void (await Promise.all(services.map((service) => service.stop()))));
  const opened = opening.move();
  return { db, zones, players, services, close: () => opened.disposeAsync() };
}

/** The game has copied the roles of the first zone before the merge, so each player has a role in both. */
async function addPlayers(db: Db, zones: readonly Zone[], perZone: number): Promise<Player[]> {
  const password_hash = hash('md5', PASSWORD + PASSWORD_KEY);
  const players: Player[] = [];
  for (const { serverId: home } of zones)
    for (let index = 0; index < perZone; index++) {
      const account = `player_${home}_${index}`;
      const roleName = `Hero of ${account}`;
      await db.kysely.insertInto('player').values({ account, password_hash }).execute();
      for (const zone of zones.filter(({ serverId }) => serverId >= home))
        await zone.addRole({ account, name: roleName, balance: BALANCE });
      players.push({ account, home, roleName });
    }
  return players;
}
