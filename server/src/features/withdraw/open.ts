import { hostname } from 'node:os';
import type { Db } from '../../db/open.ts';
import type { Metrics } from '../../http/metrics.ts';
import { zoneDrivers } from '../../integrations/zone-driver.ts';
import type { Log } from '../../logging/log.ts';
import type { LiveSettings } from '../../settings/live.ts';
import type { ZoneCache } from '../zones/zone-cache.ts';
import { noFailpoint, type OnFailpoint } from './process/failpoints.ts';
import { createProcessWithdrawal } from './process/process-withdrawal.ts';
import { reconcile } from './recovery/reconcile.ts';
import { startReconcileJob } from './recovery/reconcile-job.ts';
import { recover } from './recovery/recover.ts';
import { startRecoveryJob } from './recovery/recovery-job.ts';
import { settleUnknown } from './recovery/settle-unknown.ts';
import { settleWithBackoff } from './recovery/settle-with-backoff.ts';
import { acceptStore } from './store/accept-store.ts';
import { reportStore } from './store/report-store.ts';
import { withdrawStore } from './store/store.ts';
import type { Withdrawal } from './withdrawal.ts';

export interface WithdrawalsParts {
  readonly db: Db;
  readonly settings: LiveSettings;
  readonly zones: ZoneCache;
  readonly metrics: Metrics;
  readonly accountOf: (playerId: number) => Promise<string | undefined>;
  readonly useOnce: (kind: string, key: string, lifetimeMs: number) => Promise<boolean>;
  readonly stopping: () => boolean;
  readonly onFailpoint?: OnFailpoint | undefined;
  readonly log: Log;
}

const REPORTED_FOR_MS = 7 * 24 * 3600 * 1000;

/** Everything that withdrawals need, and what goes on with them while nobody asks. */
export function openWithdrawals({
  db,
  settings,
  zones,
  metrics,
  accountOf,
  useOnce,
  ...rest
}: WithdrawalsParts) {
  const { log, stopping, onFailpoint = noFailpoint } = rest;
  const store = withdrawStore(db);
  const reports = reportStore(db);
  const drivers = zoneDrivers({ settings: settings.current, log });
  const actor = `service:${hostname().slice(0, 40)}:${process.pid}`;
  const moved = (state: Withdrawal['state']) => metrics.withdrawals.inc({ state });
  const zoneOf = (serverId: number) => zones.all().find((zone) => zone.serverId === serverId);
  const shared = { store, reports, drivers, zones, zoneOf, settings, actor, moved, onFailpoint, log };

  const { withdraw, zones: zoneSettings } = settings.current;
  if (withdraw.resolve_by_balance && zoneSettings.columns.online === undefined)
    log.warn({}, 'withdraw.resolve_by_balance has no effect without zones.columns.online');
  const processWithdrawal = createProcessWithdrawal({ ...shared, accountOf });
  const recoveryJob = startRecoveryJob({
    ...shared,
    recover: recover({ ...shared, processWithdrawal, stopping }),
    settle: settleWithBackoff({ ...shared, settle: settleUnknown(shared), stopping }),
    openNow: metrics.setOpenWithdrawals,
  });
  const reconcileJob = startReconcileJob({
    timeZone: settings.current.time_zone,
    reconcile: reconcile(shared),
    first: (day) => useOnce('reconciled', day, REPORTED_FOR_MS),
    report: metrics.setReconciled,
    log,
  });

  return {
    ...shared,
    accepting: acceptStore(db),
    processWithdrawal,
    async close(): Promise<void> {
      reconcileJob.close();
      await recoveryJob.close();
      await processWithdrawal.idle();
    },
  };
}
