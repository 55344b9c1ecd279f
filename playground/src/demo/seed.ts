import { migrate } from '@gatehouse/server/db/migrate';
import { type Db, openDatabase } from '@gatehouse/server/db/open';
import { createPlayer } from '@gatehouse/server/features/account/create-player';
import { operatorStore } from '@gatehouse/server/features/account/operator-store';
import { accountStore } from '@gatehouse/server/features/account/store';
import { zoneStore } from '@gatehouse/server/features/zones/store';
import { createPasswords } from '@gatehouse/server/security/passwords';
import { fixedSettings } from '@gatehouse/server/settings/live';
import type { Settings } from '@gatehouse/server/settings/schema';
import { DEMO_PASSWORD, type DemoPerson, demoPeople } from './people.ts';
import { type DemoZones, demoZones } from './zones.ts';

/** Puts what is missing into the database before the service opens them; what an operator changed since stays. */
export async function seedPlatform({ settings, zones }: { settings: Settings; zones: DemoZones }) {
  const db = await openDatabase(settings.database.url);
  try {
    await migrate(db);
    await hangZones(db, zones, settings.port);
    for (const person of demoPeople) {
      await enrolOnce(db, settings, person);
      await giveRoles(zones, person);
    }
  } finally {
    await db.close();
  }
}

async function hangZones(db: Db, zones: DemoZones, port: number): Promise<void> {
  const store = zoneStore(db);
  for (const { serverId, name, status, message } of demoZones) {
    const gmUrl = zones.find(serverId)?.gmUrl ?? null;
    const address = { address: '127.0.0.1', port, gm_url: gmUrl };
    const added = await store.add({
      ...address,
      server_id: serverId,
      name,
      status,
      sort: serverId,
      message: message ?? null,
    });
    if (!added) await store.set(serverId, address);
  }
}

async function enrolOnce(db: Db, settings: Settings, { account, suspended }: DemoPerson): Promise<void> {
  const players = accountStore(db);
  if (await players.findByAccount(account)) return;
  const write = createPlayer({ players, settings: fixedSettings(settings) });
  const passwordHash = createPasswords(settings.auth.password_key).hash(DEMO_PASSWORD);
  const device = { ip: '127.0.0.1', device: 'playground', os: '', browse: '' };
  const email = `${account}@playground.test`;
  await write({ account, passwordHash, email, serverId: 1, agentId: null, ...device }, async () => {});
  if (suspended) await operatorStore(db).ban(account, { reason: suspended, until: null });
}

async function giveRoles(zones: DemoZones, { account, roles }: DemoPerson): Promise<void> {
  for (const { serverId, ...role } of roles) {
    const zone = zones.find(serverId);
    if (zone?.roles().some(({ name }) => name === role.name)) continue;
    await zone?.addRole({ account, ...role });
  }
}
