import { hostname } from 'node:os';
import type { FastifyInstance } from 'fastify';
import { jobLease } from '../../db/job-lease.ts';
import type { Enqueue } from '../../db/outbox.ts';
import type { Feature, FeatureContext } from '../../feature.ts';
import { zoneDrivers } from '../../integrations/zone-driver.ts';
import { trackGmHealth } from '../zones/gm-health.ts';
import { zoneStore } from '../zones/store.ts';
import { openWithdrawAdmin } from './admin/module.ts';
import { withdrawAdminRoutes } from './admin/routes.ts';
import type { WithdrawDeps } from './deps.ts';
import { noFailpoint, type OnFailpoint } from './process/failpoints.ts';
import { createProcessWithdrawal } from './process/process-withdrawal.ts';
import { reconcile, startReconcileJob } from './recovery/reconcile.ts';
import { recover, startRecoveryJob } from './recovery/recover.ts';
import { settleUnknown, settleWithBackoff } from './recovery/settle-unknown.ts';
import { requestLimit } from './request/request-limit.ts';
import { withdrawRoutes } from './routes.ts';
import { acceptStore } from './store/accept-store.ts';
import { reconciliationStore } from './store/reconciliation-store.ts';
import { reportStore } from './store/report-store.ts';
import { withdrawStore } from './store/store.ts';
import type { Withdrawal } from './withdrawal.ts';

interface WithdrawContext
  extends Pick<FeatureContext, 'db' | 'settings' | 'limiters' | 'metrics' | 'stopping' | 'log'>,
    Pick<WithdrawDeps, 'zones' | 'accountOf' | 'heldUntil' | 'judgeCode' | 'notifyPlayer'> {
  readonly enqueue: Enqueue;
  readonly onFailpoint?: OnFailpoint | undefined;
}

const RECONCILE_LEASE_MS = 5 * 60 * 1000;

/** Opens withdrawals: their routes, and the jobs that recover interrupted ones. */
export function openWithdraw(context: WithdrawContext) {
  const { db, settings, limiters, zones, metrics, accountOf, heldUntil, stopping, log } = context;
  const { judgeCode, notifyPlayer, enqueue, onFailpoint = noFailpoint } = context;
  const store = withdrawStore(db, enqueue);
  const reports = reportStore(db);
  const zoneOf = (serverId: number) => zones.all().find((zone) => zone.serverId === serverId);
  const gmHealth = trackGmHealth({ store: zoneStore(db), zoneOf, log });
  const drivers = zoneDrivers({
    settings: settings.current,
    log,
    onGmCall(gmCall) {
      metrics.observeGmCall(gmCall);
      gmHealth.record(gmCall);
    },
    onBreaker: (serverId, isOpen) => metrics.gmBreaker.set({ server_id: serverId }, Number(isOpen)),
  });
  const actor = `service:${hostname().slice(0, 40)}:${process.pid}`;
  const moved = (state: Withdrawal['state']) => metrics.withdrawals.inc({ state });
  const shared = { store, reports, drivers, zones, zoneOf, settings, actor, moved, onFailpoint, log };

  const { withdraw, zones: zoneSettings } = settings.current;
  if (withdraw.resolve_by_balance && zoneSettings.columns.online === undefined)
    log.warn({}, 'withdraw.resolve_by_balance has no effect without zones.columns.online');
  const processWithdrawal = createProcessWithdrawal({ ...shared, accountOf, notifyPlayer });
  const settle = settleWithBackoff({ ...shared, settle: settleUnknown(shared), stopping });
  let isPinned = false;
  const recoveryJob = startRecoveryJob({
    ...shared,
    recover: recover({ ...shared, processWithdrawal, notifyPlayer, stopping }),
    settle: async () => {
      if (!isPinned) await store.pinUnknown();
      isPinned = true;
      await settle();
    },
    reportOpen(open) {
      metrics.setOpenWithdrawals(open);
      metrics.setGmFailing(zones.all());
    },
    successOf: metrics.job,
  });
  const reconcileJob = startReconcileJob({
    lease: jobLease(db, 'reconciliation', RECONCILE_LEASE_MS),
    timeZone: settings.current.time_zone,
    reconcile: reconcile(shared),
    report: metrics.setReconciled,
    store: reconciliationStore(db),
    log,
    succeeded: metrics.job('reconciliation'),
  });

  const limitOf = (name: string) =>
    requestLimit(
      limiters(name, () => ({ limit: settings.current.withdraw.requests_per_minute, window: 60 })),
    );
  const deps = {
    ...shared,
    accepting: acceptStore(db),
    processWithdrawal,
    accountOf,
    stopping,
    heldUntil,
    judgeCode,
    notifyPlayer,
    rolesLimit: limitOf('roles'),
    withdrawLimit: limitOf('withdraw'),
  };
  return {
    ...shared,
    routes(app: FastifyInstance) {
      withdrawRoutes(app, deps);
      withdrawAdminRoutes(app, openWithdrawAdmin({ db, settings, drivers, enqueue, moved, log }));
    },
    async close(): Promise<void> {
      await reconcileJob.close();
      await recoveryJob.close();
      await processWithdrawal.idle();
      await gmHealth.idle();
    },
  } satisfies Feature;
}
