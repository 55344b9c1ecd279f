import type { Log } from '../../../logging/log.ts';
import { forEachConcurrent } from '../../../runtime/concurrency.ts';
import { type Job, type Lease, startJob } from '../../../runtime/job.ts';
import type { WithdrawDeps } from '../deps.ts';
import type { ReconciliationStore } from '../store/reconciliation-store.ts';
import type { StateSum } from '../store/report-store.ts';
import type { Withdrawal, ZoneReport } from '../withdrawal.ts';

/** Receipts requested at the same time. */
const RECEIPT_CONCURRENCY = 4;
/** A zone that does not answer as many times in a row is left until all others are compared, which its silence would delay by hours. */
const MAX_UNREADABLE = 20;

export interface Span {
  readonly since: number;
  readonly until: number;
}

const PAGE = 500;

interface Compared extends Pick<ZoneReport, 'receipts' | 'drift'> {
  /** Whether the zone stopped answering, so that only a part was compared. */
  readonly isLeft: boolean;
}

const NOT_COMPARED: Compared = { receipts: 0, drift: null, isLeft: false };

/** Compares the database with the zones' receipts. Fails if `mayGoOn` returns false between two receipts. */
export function reconcile({
  reports,
  drivers,
  zoneOf,
  log,
}: Pick<WithdrawDeps, 'reports' | 'drivers' | 'zoneOf'> & { readonly log: Pick<Log, 'warn'> }) {
  return async (span: Span, mayGoOn: () => Promise<boolean> = async () => true): Promise<ZoneReport[]> => {
    const sums = await reports.sums(span.since, span.until);
    const zones = [...new Set(sums.map(({ serverId }) => serverId))].sort((a, b) => a - b);
    const found = new Map<number, Compared>();
    for (const serverId of zones) found.set(serverId, await compare(serverId, span, mayGoOn));
    for (const [serverId, { isLeft }] of found)
      if (isLeft) found.set(serverId, await compare(serverId, span, mayGoOn));
    return zones.map((serverId) => {
      const { isLeft, ...drift } = found.get(serverId) ?? NOT_COMPARED;
      if (isLeft) log.warn({ server_id: serverId }, 'a zone gives no receipts; not all were compared');
      return { ...countsOf(serverId, sums), ...drift };
    });
  };

  async function compare(serverId: number, span: Span, mayGoOn: () => Promise<boolean>): Promise<Compared> {
    const zone = zoneOf(serverId);
    const receipt = zone && drivers(zone).receipt;
    if (!receipt) return NOT_COMPARED;
    let receipts = 0;
    let difference = 0;
    let unreadable = 0;

    async function check({ id, state, amount }: Withdrawal): Promise<void> {
      if (!(await mayGoOn())) throw new Error('interrupted');
      if (unreadable >= MAX_UNREADABLE) return;
      const found = await receipt?.(id);
      if (!found || found.kind === 'unreadable') {
        unreadable += 1;
        return;
      }
      unreadable = 0;
      receipts += 1;
      difference += (found.kind === 'executed' ? found.amount : 0) - (state === 'done' ? amount : 0);
    }
    for (let after = ''; ; ) {
      const page = await reports.sent(serverId, span, after, PAGE);
      await forEachConcurrent(page, RECEIPT_CONCURRENCY, check);
      const last = page.at(-1);
      if (!last || page.length < PAGE || unreadable >= MAX_UNREADABLE) break;
      after = last.id;
    }
    return {
      receipts,
      drift: receipts === 0 ? null : difference,
      isLeft: unreadable >= MAX_UNREADABLE,
    };
  }
}

function countsOf(serverId: number, sums: readonly StateSum[]): Omit<ZoneReport, 'receipts' | 'drift'> {
  const of = (state: StateSum['state']) =>
    sums.find((sum) => sum.serverId === serverId && sum.state === state) ?? { count: 0, amount: 0 };
  return {
    server_id: serverId,
    done: of('done').count,
    done_amount: of('done').amount,
    refused: of('refused').count,
    failed: of('failed').count,
    open: of('accepted').count + of('sending').count,
    unknown: of('unknown').count,
    unknown_amount: of('unknown').amount,
  };
}

export interface ReconcileJobOptions {
  readonly lease: Lease;
  readonly timeZone: string;
  readonly reconcile: (span: Span, mayGoOn: () => Promise<boolean>) => Promise<ZoneReport[]>;
  readonly report: (lines: readonly ZoneReport[]) => void;
  readonly store: Pick<ReconciliationStore, 'keep' | 'lastDayBefore'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly succeeded?: () => void;
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
export function startReconcileJob(deps: ReconcileJobOptions): Job {
  return startJob({
    lease: deps.lease,
    intervalMs: INTERVAL_MS,
    work: (mayGoOn) => reconcileDueDays(deps, mayGoOn),
    succeeded: deps.succeeded,
    failed: (error) => deps.log.warn({ err: error }, 'the nightly reconciliation did not finish; retrying'),
  });
}

async function reconcileDueDays(deps: ReconcileJobOptions, mayGoOn: () => Promise<boolean>): Promise<void> {
  const { timeZone, reconcile, report, store, log, now = Date.now } = deps;
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
