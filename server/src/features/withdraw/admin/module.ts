import type { Db } from '../../../db/open.ts';
import type { Enqueue } from '../../../db/outbox.ts';
import { type ZoneDrivers, zoneDrivers } from '../../../integrations/zone-driver.ts';
import type { Log } from '../../../logging/log.ts';
import type { LiveSettings } from '../../../settings/live.ts';
import { auditStore } from '../../audit/store.ts';
import { zoneStore } from '../../zones/store.ts';
import { listStore } from '../store/list-store.ts';
import { reconciliationStore } from '../store/reconciliation-store.ts';
import { reportStore } from '../store/report-store.ts';
import { settleStore } from '../store/settle-store.ts';
import { withdrawStore } from '../store/store.ts';
import type { Withdrawal } from '../withdrawal.ts';
import { currentBalance, playerRoles } from './balances.ts';
import { askReceipt } from './receipt.ts';
import { nightlyReport, reconcileNow } from './reconcile-now.ts';
import { repointWithdrawal } from './repoint.ts';
import { markRestored } from './restored.ts';
import { settleWithdrawal } from './settle.ts';
import { listWithdrawals, showWithdrawal } from './show.ts';

interface WithdrawAdminModuleDeps {
  readonly db: Db;
  readonly settings: LiveSettings;
  readonly log: Pick<Log, 'warn'>;
  /** The service's own drivers. Commands leave them out and get new ones. */
  readonly drivers?: ZoneDrivers;
  readonly enqueue?: Enqueue;
  readonly moved?: (state: Withdrawal['state']) => void;
}

export function openWithdrawAdmin({ db, settings, log, ...given }: WithdrawAdminModuleDeps) {
  const lists = listStore(db);
  const deps = {
    store: withdrawStore(db, given.enqueue),
    settling: settleStore(db, given.enqueue),
    reports: reportStore(db),
    lists,
    audit: auditStore(db),
    drivers: given.drivers ?? zoneDrivers({ settings: settings.current, log }),
    zones: zoneStore(db).all,
    settings,
    moved: given.moved ?? (() => {}),
    log,
  };
  return {
    list: listWithdrawals(deps),
    recordExport: deps.audit.recordExport,
    byPrefix: lists.byPrefix,
    show: showWithdrawal(deps),
    balance: currentBalance(deps),
    rolesOf: playerRoles(deps),
    settle: settleWithdrawal(deps),
    receipt: askReceipt(deps),
    repoint: repointWithdrawal(deps),
    reconcile: reconcileNow(deps),
    markRestored: markRestored(deps),
    nightly: nightlyReport({ kept: reconciliationStore(db), timeZone: settings.current.time_zone }),
  };
}

export type WithdrawAdmin = ReturnType<typeof openWithdrawAdmin>;
