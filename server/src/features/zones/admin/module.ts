import type { Db } from '../../../db/open.ts';
import { gameDatabases } from '../../../integrations/game-database.ts';
import { gmCommand } from '../../../integrations/gm-command.ts';
import { tcpCheck } from '../../../integrations/tcp-check.ts';
import { createSealer } from '../../../security/sealer.ts';
import type { Settings } from '../../../settings/schema.ts';
import { auditStore } from '../../audit/store.ts';
import { zoneKeyStore } from '../key-store.ts';
import { zoneStore } from '../store.ts';
import { addZone, addZones } from './add.ts';
import { addZoneKey, revokeZoneKeys } from './keys.ts';
import { describeZones, type ListParts } from './list.ts';
import { mergeZone } from './merge.ts';
import { mergeStore } from './merge-store.ts';
import { removeZone } from './remove.ts';
import { setZone } from './set.ts';
import { setZoneStatus } from './set-status.ts';
import { zoneAdminStore } from './store.ts';
import { testZone } from './test.ts';

interface ZoneAdminModuleParts extends Partial<Pick<ListParts, 'entriesToday' | 'isOnline'>> {
  readonly db: Db;
}

export function openZoneAdmin({
  db,
  entriesToday = async () => new Map(),
  isOnline = () => undefined,
}: ZoneAdminModuleParts) {
  const zones = zoneAdminStore(db);
  const parts = {
    zones,
    merges: mergeStore(db, zones),
    keys: zoneKeyStore(db),
    audit: auditStore(db),
    entriesToday,
    isOnline,
  };
  return {
    list: zoneStore(db).all,
    page: zones.list,
    describe: describeZones(parts),
    add: addZone(parts),
    addAll: addZones(parts),
    set: setZone(parts),
    setStatus: setZoneStatus(parts),
    merge: mergeZone(parts),
    remove: removeZone(parts),
  };
}

export function openZoneKeys({ db, auth }: { readonly db: Db; readonly auth: Settings['auth'] }) {
  const keys = zoneKeyStore(db);
  const sealer = createSealer([...(auth.seal_key ?? []), ...auth.jwt_secret]);
  const parts = { zones: zoneAdminStore(db), keys, sealer, audit: auditStore(db) };
  return {
    list: keys.list,
    secrets: () => keys.secrets(sealer),
    add: addZoneKey(parts),
    revoke: revokeZoneKeys(parts),
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
    gm: gmCommand(gm, zones.allowed_hosts),
    tcpCheck: tcpCheck(zones.allowed_hosts),
  });
}

export type { EntriesToday } from './list.ts';
export type ZoneAdmin = ReturnType<typeof openZoneAdmin>;
