import type { Db } from '../../../db/open.ts';
import { auditStore } from '../../audit/store.ts';
import { zoneStore } from '../store.ts';
import { addZone } from './add.ts';
import { removeZone } from './remove.ts';
import { setZone } from './set.ts';
import { zoneAdminStore } from './store.ts';

export function openZoneAdmin({ db }: { readonly db: Db }) {
  const parts = { zones: zoneAdminStore(), audit: auditStore(db) };
  return { list: zoneStore(db).all, add: addZone(parts), set: setZone(parts), remove: removeZone(parts) };
}
