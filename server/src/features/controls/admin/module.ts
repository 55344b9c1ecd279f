import type { Db } from '../../../db/open.ts';
import type { Settings } from '../../../settings/schema.ts';
import { auditStore } from '../../audit/store.ts';
import { controlStore } from '../store.ts';
import { addDenyEntry, clearControl, listControls, removeDenyEntry, setControl } from './change.ts';
import { controlAdminStore } from './store.ts';

interface ControlAdminContext {
  readonly db: Db;
  /** Settings of file and environment, without overrides. */
  readonly base: () => Settings;
}

export function openControlAdmin({ db, base }: ControlAdminContext) {
  const parts = { controls: controlAdminStore(db), audit: auditStore(db) };
  return {
    list: listControls({ store: controlStore(db), base }),
    set: setControl(parts),
    clear: clearControl(parts),
    deny: addDenyEntry(parts),
    allow: removeDenyEntry(parts),
  };
}

export type ControlAdmin = ReturnType<typeof openControlAdmin>;
