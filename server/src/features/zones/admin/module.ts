import type { Db } from '../../../db/open.ts';
import { type Enqueue, enqueueEvent } from '../../../db/outbox.ts';
import { gameDatabases } from '../../../integrations/game-database.ts';
import { gmCommands } from '../../../integrations/gm-command.ts';
import { tcpCheck } from '../../../integrations/tcp-check.ts';
import { createSealer } from '../../../security/sealer.ts';
import type { Settings } from '../../../settings/schema.ts';
import { auditStore } from '../../audit/store.ts';
import { zoneKeyStore } from '../key-store.ts';
import { zoneStore } from '../store.ts';
import { addZoneKey, addZones, removeZone, revokeZoneKeys, setZone, setZoneStatus } from './change.ts';
import { mergeZone } from './merge.ts';
import { mergeStore } from './merge-store.ts';
import { describeZones, type ListDeps } from './readable.ts';
import { zoneAdminStore } from './store.ts';
import { testZone } from './test.ts';

export function openZoneAdmin({
  db,
  entriesToday = async () => new Map(),
  isOnline = () => undefined,
  enqueue = enqueueEvent,
}: Partial<Pick<ListDeps, 'entriesToday' | 'isOnline'>> & { readonly db: Db; readonly enqueue?: Enqueue }) {
  const zones = zoneAdminStore(db);
  const deps = {
    zones,
    merges: mergeStore(db, zones),
    keys: zoneKeyStore(db),
    audit: auditStore(db),
    enqueue,
    entriesToday,
    isOnline,
  };
  return {
    list: zoneStore(db).all,
    page: zones.list,
    describe: describeZones(deps),
    add: addZones(deps),
    set: setZone(deps),
    setStatus: setZoneStatus(deps),
    merge: mergeZone(deps),
    remove: removeZone(deps),
  };
}

export function openZoneKeys({ db, auth }: { readonly db: Db; readonly auth: Settings['auth'] }) {
  const keys = zoneKeyStore(db);
  const sealer = createSealer([...(auth.seal_key ?? []), ...auth.jwt_secret]);
  const stores = { zones: zoneAdminStore(db), keys, audit: auditStore(db) };
  return {
    list: keys.list,
    secrets: () => keys.secrets(sealer),
    add: addZoneKey(stores, sealer),
    revoke: revokeZoneKeys(stores),
  };
}

export function openZoneTest({
  db,
  settings: { zones, gm },
}: {
  readonly db: Db;
  readonly settings: Pick<Settings, 'zones' | 'gm'>;
}) {
  return testZone({
    zones: zoneStore(db).all,
    databaseOf: gameDatabases(zones),
    gmOf: gmCommands(gm, zones.allowed_hosts),
    tcpCheck: tcpCheck(zones.allowed_hosts),
  });
}

export type { EntriesToday } from './readable.ts';
export type ZoneAdmin = ReturnType<typeof openZoneAdmin>;
