import { hostname } from 'node:os';
import type { Db } from '../../db/open.ts';
import type { Metrics } from '../../http/metrics.ts';
import { zoneDrivers } from '../../integrations/zone-driver.ts';
import type { LiveSettings } from '../../settings/live.ts';
import type { ZoneCache } from '../zones/zone-cache.ts';
import { acceptStore } from './accept-store.ts';
import { carryOn } from './carry-on.ts';
import { startNightly } from './nightly.ts';
import { reconcile } from './reconcile.ts';
import { recover } from './recover.ts';
import { reportStore } from './report-store.ts';
import { startRounds } from './rounds.ts';
import { settlePolitely } from './settle-politely.ts';
import { settleUnknown } from './settle-unknown.ts';
import { type AtStep, noStep } from './steps.ts';
import { withdrawStore } from './store.ts';
import type { Withdrawal } from './withdrawal.ts';

export interface WithdrawalsParts {
  readonly db: Db;
  readonly settings: LiveSettings;
  readonly zones: ZoneCache;
  readonly metrics: Metrics;
  readonly accountOf: (playerId: number) => Promise<string | undefined>;
  readonly useOnce: (kind: string, key: string, lifetimeMs: number) => Promise<boolean>;
  readonly stopping: () => boolean;
  readonly atStep?: AtStep | undefined;
  readonly log: {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
    error(fields: object, message: string): void;
  };
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
  const { log, stopping, atStep = noStep } = rest;
  const store = withdrawStore(db);
  const reports = reportStore(db);
  const drivers = zoneDrivers({ settings: settings.current, log });
  const actor = `service:${hostname().slice(0, 40)}:${process.pid}`;
  const moved = (state: Withdrawal['state']) => metrics.withdrawals.inc({ state });
  const zoneOf = (serverId: number) => zones.all().find((zone) => zone.serverId === serverId);
  const shared = { store, reports, drivers, zones, zoneOf, settings, actor, moved, atStep, log };

  const { withdraw, zones: zoneSettings } = settings.current;
  if (withdraw.resolve_by_balance && zoneSettings.columns.online === undefined)
    log.warn({}, 'withdraw.resolve_by_balance has no effect without zones.columns.online');
  const carry = carryOn({ ...shared, accountOf });
  const rounds = startRounds({
    ...shared,
    recover: recover({ ...shared, carryOn: carry, stopping }),
    settle: settlePolitely({ ...shared, settle: settleUnknown(shared), stopping }),
    openNow: metrics.setOpenWithdrawals,
  });
  const nightly = startNightly({
    timeZone: settings.current.time_zone,
    reconcile: reconcile(shared),
    first: (day) => useOnce('reconciled', day, REPORTED_FOR_MS),
    report: metrics.setReconciled,
    log,
  });

  return {
    ...shared,
    accepting: acceptStore(db),
    carryOn: carry,
    async close(): Promise<void> {
      nightly.close();
      await rounds.close();
      await carry.idle();
    },
  };
}
