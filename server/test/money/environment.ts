import { randomBytes } from 'node:crypto';
import { startZone, type Zone } from '@gatehouse/simulators/zone';
import { type Fault, faultPlan } from '@gatehouse/simulators/zone/faults';
import { type Mariadb, startMariadb } from '../../../test-support/mariadb.ts';
import { migrate } from '../../src/db/migrate.ts';
import { type Db, openDatabase } from '../../src/db/open.ts';
import { createTokens } from '../../src/security/tokens.ts';

/** Every known failure of a GM interface, plus two clear refusals and two slow successes. */
export const gmFaults: readonly Fault[] = [
  'timeout_before',
  'timeout_after',
  'drop_before',
  'drop_after',
  'garbage_before',
  'garbage_after',
  'http_500_before',
  'http_500_after',
  'half_answer',
  'twice',
  'twice_on_wire',
  'redirect',
  'drip',
  'huge',
  'refuse',
  'not_enough',
  'delay:300',
  'delay:1500',
];
const FAULTY = 0.46;
const BALANCE = 300;

export interface Player {
  readonly account: string;
  readonly token: string;
  readonly zone: Zone;
  readonly roleId: number;
  readonly roleName: string;
}

/** Two game zones on one database server, the account database on another, and a player with a token for every role. */
export interface Environment {
  readonly accounts: Mariadb;
  readonly games: Mariadb;
  readonly zones: readonly Zone[];
  readonly players: readonly Player[];
  readonly db: Db;
  readonly databaseUrl: string;
  readonly settings: Record<string, unknown>;
  clearFaults(): void;
  close(): Promise<void>;
}

export async function startEnvironment({
  roles,
  seed,
}: {
  roles: number;
  seed: number;
}): Promise<Environment> {
  const [accounts, games] = await Promise.all([startMariadb(), startMariadb()]);
  const zones = await Promise.all(
    [1, 2].map((serverId) => startZone({ serverId, database: games.url, receipts: true, saveInterval: 2 })),
  );
  const databaseUrl = await accounts.createDatabase('money');
  const db = await openDatabase(databaseUrl);
  await migrate(db);
  const secret = randomBytes(32).toString('hex');
  const players = await addPlayers({ db, zones, roles, secret });
  await addZones(db, zones);
  for (const zone of zones)
    zone.setFaults(faultPlan({ seed: seed + zone.serverId, rate: FAULTY, kinds: gmFaults }));

  return {
    accounts,
    games,
    zones,
    players,
    db,
    databaseUrl,
    settings: {
      database: { url: databaseUrl },
      auth: { password_key: 'money', jwt_secret: secret },
      // Longer than the game's save interval, because a restart of its database delays saving.
      zones: { database_url: games.url, save_interval: 20 },
      gm: { timeout: 1, receipt_operation: 10031, receipt_after: 3 },
      withdraw: { daily_max: 100_000_000, requests_per_minute: 100_000, refused_per_day: 100_000 },
      log: { level: 'warn' },
    },
    clearFaults() {
      for (const zone of zones) zone.setFaults([]);
    },
    async close() {
      await db.close();
      await Promise.allSettled(zones.map((zone) => zone.stop()));
      await Promise.all([accounts.kill(), games.kill()]);
    },
  };
}

export async function addZones(db: Db, zones: readonly Zone[]): Promise<void> {
  await db.kysely
    .insertInto('server')
    .values(
      zones.map((zone) => ({
        server_id: zone.serverId,
        name: `Zone ${zone.serverId}`,
        address: '127.0.0.1',
        port: 7000,
        gm_url: zone.gmUrl,
      })),
    )
    .execute();
}

export async function addPlayers(options: {
  db: Db;
  zones: readonly Zone[];
  roles: number;
  secret: string;
}): Promise<Player[]> {
  const { db, zones, roles, secret } = options;
  const tokens = createTokens({ secrets: [secret], isRevoked: () => false });
  const players: Player[] = [];
  // Several databases may share the zones, where names are unique.
  const guild = randomBytes(3).toString('hex');
  for (let index = 0; index < roles; index++) {
    const account = `player_${index}`;
    const { insertId } = await db.kysely.insertInto('player').values({ account }).executeTakeFirstOrThrow();
    const { token } = tokens.issue({ playerId: Number(insertId), account, version: 0 });
    for (const zone of index % 2 === 0 ? zones.slice(0, 1) : zones.slice(1)) {
      // The same name in both zones belongs to different players.
      const role = await zone.addRole({ account, name: `Hero ${index >> 1} of ${guild}`, balance: BALANCE });
      players.push({ account, token, zone, roleId: role.id, roleName: role.name });
    }
  }
  return players;
}
