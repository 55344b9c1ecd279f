import type { Db } from '../../../db/open.ts';
import { zoneDrivers } from '../../../integrations/zone-driver.ts';
import type { Log } from '../../../logging/log.ts';
import { fixedSettings } from '../../../settings/live.ts';
import type { Settings } from '../../../settings/schema.ts';
import { auditStore } from '../../audit/store.ts';
import { zoneStore } from '../../zones/store.ts';
import { reportStore } from '../store/report-store.ts';
import { withdrawStore } from '../store/store.ts';
import { reconcileNow } from './reconcile-now.ts';
import { resolveUnknown } from './resolve.ts';

interface WithdrawAdminModuleParts {
  readonly db: Db;
  readonly settings: Settings;
  readonly log: Pick<Log, 'warn'>;
}

export function openWithdrawAdmin({ db, settings, log }: WithdrawAdminModuleParts) {
  const reports = reportStore(db);
  const parts = { store: withdrawStore(db), audit: auditStore(db) };
  return {
    list: reports.list,
    find: parts.store.find,
    eventsOf: reports.events,
    resolve: resolveUnknown(parts),
    reconcile: reconcileNow({
      ...parts,
      reports,
      drivers: zoneDrivers({ settings, log }),
      zones: zoneStore(db).all,
      settings: fixedSettings(settings),
      log,
    }),
  };
}
