import type { Log } from '../../../logging/log.ts';
import { type Lease, type LeasedJob, leasedJob } from '../../../runtime/leased-job.ts';
import type { ReconciliationStore } from '../store/reconciliation-store.ts';
import type { ZoneReport } from '../withdrawal.ts';
import type { Span } from './reconcile.ts';

export interface ReconcileJobParts {
  readonly lease: Lease;
  readonly timeZone: string;
  readonly reconcile: (span: Span, mayGoOn: () => Promise<boolean>) => Promise<ZoneReport[]>;
  readonly report: (lines: readonly ZoneReport[]) => void;
  readonly store: Pick<ReconciliationStore, 'keep' | 'lastDayBefore'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly now?: () => number;
}

const INTERVAL_MS = 60_000;
/** By four in the morning the games have saved the previous day, and few players are online. */
const DAY_IS_OVER_AFTER = { hours: 4 };
/** Upper bound of missed days to catch up. */
const MAX_DAYS = 31;

/** Returns the days after the last reconciled one and before today, oldest first. At the first start: only yesterday. */
function daysBetween(last: string | undefined, today: Temporal.PlainDate): Temporal.PlainDate[] {
  const missed = last === undefined ? 1 : Temporal.PlainDate.from(last).until(today).days - 1;
  const count = Math.min(missed, MAX_DAYS);
  return Array.from({ length: count }, (_, index) => today.subtract({ days: count - index }));
}

/** Reconciles each day once it is over, on one instance at a time. Catches up interrupted and missed days. */
export function startReconcileJob(parts: ReconcileJobParts): LeasedJob {
  return leasedJob({
    lease: parts.lease,
    intervalMs: INTERVAL_MS,
    work: (mayGoOn) => reconcileDueDays(parts, mayGoOn),
    failed: (error) => parts.log.warn({ err: error }, 'the nightly reconciliation did not finish; retrying'),
  });
}

async function reconcileDueDays(parts: ReconcileJobParts, mayGoOn: () => Promise<boolean>): Promise<void> {
  const { timeZone, reconcile, report, store, log, now = Date.now } = parts;
  const clock = Temporal.Instant.fromEpochMilliseconds(now()).toZonedDateTimeISO(timeZone);
  const today = clock.subtract(DAY_IS_OVER_AFTER).toPlainDate();
  for (const date of daysBetween(await store.lastDayBefore(today.toString()), today)) {
    if (!(await mayGoOn())) return;
    const day = date.toString();
    const startOf = (each: Temporal.PlainDate) => each.toZonedDateTime(timeZone).epochMilliseconds;
    const lines = await reconcile({ since: startOf(date), until: startOf(date.add({ days: 1 })) }, mayGoOn);
    await store.keep(day, lines);
    report(lines);
    for (const line of lines) {
      const isClean = line.unknown === 0 && line.open === 0 && (line.drift ?? 0) === 0;
      log[isClean ? 'info' : 'warn']({ day, ...line }, 'withdrawals reconciled');
    }
  }
}
