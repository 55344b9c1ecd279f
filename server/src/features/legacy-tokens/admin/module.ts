import type { Db } from '../../../db/open.ts';
import { type LocalTime, localTime } from '../../../runtime/time.ts';
import { legacyStore } from '../store.ts';
import { legacyReport } from './report.ts';

export function openLegacyAdmin({ db, timeZone }: { readonly db: Db; readonly timeZone: string }) {
  const time: LocalTime = localTime(timeZone);
  return { report: legacyReport({ legacy: legacyStore(db), time }) };
}

export type LegacyAdmin = ReturnType<typeof openLegacyAdmin>;
