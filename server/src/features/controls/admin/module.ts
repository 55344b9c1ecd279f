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
  const deps = { controls: controlAdminStore(db), audit: auditStore(db) };
  return {
    list: listControls({ store: controlStore(db), base }),
    set: setControl(deps),
    clear: clearControl(deps),
    deny: addDenyEntry(deps),
    allow: removeDenyEntry(deps),
  };
}

export type ControlAdmin = ReturnType<typeof openControlAdmin>;
