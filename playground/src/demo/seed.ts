import { migrate } from '@gatehouse/server/db/migrate';
import { type Db, openDatabase } from '@gatehouse/server/db/open';
import { openPlayerAdmin } from '@gatehouse/server/features/account/admin/module';
import { createPlayer } from '@gatehouse/server/features/account/create-player';
import { erasedNameStore, registrationStore } from '@gatehouse/server/features/account/registration-store';
import { accountStore } from '@gatehouse/server/features/account/store';
import { openZoneAdmin } from '@gatehouse/server/features/zones/admin/module';
import { erasedNameHash } from '@gatehouse/server/security/account-key';
import { createPasswords } from '@gatehouse/server/security/passwords';
import { fixedSettings } from '@gatehouse/server/settings/live';
import type { Settings } from '@gatehouse/server/settings/schema';
import { addDemoHistory } from './history/history.ts';
import { isNewDatabase } from './history/store.ts';
import { type DemoOperator, inviteOperators } from './operators.ts';
import { DEMO_PASSWORD, type DemoPerson, demoPeople } from './people.ts';
import { brandSite } from './site.ts';
import { type DemoZones, demoZones } from './zones.ts';

const actor = { name: 'playground', via: 'service' } as const;

/** Adds missing data before the service opens the database. An operator's changes stay. */
export async function seedPlatform({
  settings,
  zones,
}: {
  settings: Settings;
  zones: DemoZones;
}): Promise<DemoOperator[]> {
  const db = await openDatabase(settings.database.url);
  try {
    await migrate(db);
    const isNew = await isNewDatabase(db);
    await registerZones(db, zones, settings.port);
    for (const person of demoPeople) {
      await createAccountOnce(db, settings, person);
      await giveRoles(zones, person);
    }
    if (isNew) {
      await addDemoHistory(db, settings.time_zone);
      await brandSite(db, settings);
    }
    return await inviteOperators(db, settings);
  } finally {
    await db.close();
  }
}

async function registerZones(db: Db, zones: DemoZones, port: number): Promise<void> {
  const platform = openZoneAdmin({ db });
  const present = new Set((await platform.list()).map((zone) => zone.serverId));
  for (const { serverId, name, status, message } of demoZones) {
    const gmUrl = zones.find(serverId)?.gmUrl ?? null;
    const address = { address: '127.0.0.1', port, gm_url: gmUrl };
    const known = { server_id: serverId, name, status, sort: serverId, message: message ?? null };
    if (present.has(serverId)) await platform.set(actor, { serverId, fields: address });
    else await platform.add(actor, { zones: [{ ...address, ...known }] });
  }
}

async function createAccountOnce(
  db: Db,
  settings: Settings,
  { account, suspended }: DemoPerson,
): Promise<void> {
  const players = accountStore(db);
  if (await players.findByAccount(account)) return;
  const create = createPlayer({
    players,
    erasedNames: erasedNameStore(db, erasedNameHash(settings.auth)),
    registrations: registrationStore(db),
    settings: fixedSettings(settings),
    enqueue: async () => {},
  });
  const passwordHash = createPasswords(settings.auth.password_key).hash(DEMO_PASSWORD);
  const device = { ip: '127.0.0.1', device: 'playground', os: '', browse: '' };
  const email = `${account}@playground.test`;
  const player = await create({ account, passwordHash, email, serverId: 1, agentId: null, ...device });
  await db.transaction((trx) => player.insert(trx));
  if (suspended)
    await openPlayerAdmin({ db, settings }).ban(actor, { player: { account }, reason: suspended });
}

async function giveRoles(zones: DemoZones, { account, roles }: DemoPerson): Promise<void> {
  for (const { serverId, ...role } of roles) {
    const zone = zones.find(serverId);
    if (zone?.roles().some(({ name }) => name === role.name)) continue;
    await zone?.addRole({ account, ...role });
  }
}
