import type { Db } from '../../../db/open.ts';
import { localTime } from '../../../runtime/time.ts';
import type { Settings } from '../../../settings/schema.ts';
import { takeoverStore } from '../store.ts';
import { takeoverStatus } from './status.ts';

export function openTakeoverAdmin({ db, settings }: { readonly db: Db; readonly settings: Settings }) {
  const store = takeoverStore(db);
  const time = localTime(settings.time_zone);
  return {
    status: takeoverStatus({ store, time, passwordHash: () => settings.auth.password_hash }),
    saveSource: store.saveSource,
  };
}

export type TakeoverAdmin = ReturnType<typeof openTakeoverAdmin>;
