import type { Log } from '../../../logging/log.ts';
import type { ZoneReport } from '../withdrawal.ts';
import type { Span } from './reconcile.ts';

export interface ReconcileJobParts {
  readonly timeZone: string;
  readonly reconcile: (span: Span) => Promise<ZoneReport[]>;
  /** True for one of all instances. */
  readonly claimDay: (day: string) => Promise<boolean>;
  readonly report: (lines: readonly ZoneReport[]) => void;
  readonly keep: (day: string, lines: readonly ZoneReport[]) => Promise<void>;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

/** When the games have saved the day before, and few players are online. */
const HOUR = 4;

/** Reconciles the previous day, once a day, on one of the instances. */
export function startReconcileJob(parts: ReconcileJobParts): { close(): void } {
  let timer: NodeJS.Timeout;
  let closed = false;

  function schedule(): void {
    const now = Temporal.Now.zonedDateTimeISO(parts.timeZone);
    const today = now.startOfDay().add({ hours: HOUR });
    const next = Temporal.ZonedDateTime.compare(today, now) > 0 ? today : today.add({ days: 1 });
    timer = setTimeout(run, next.epochMilliseconds - now.epochMilliseconds).unref();
  }

  async function run(): Promise<void> {
    await reconcileDayBefore(parts).catch((error) =>
      parts.log.warn({ err: error }, 'the nightly reconciliation failed'),
    );
    if (!closed) schedule();
  }

  schedule();
  return {
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

export async function reconcileDayBefore(parts: ReconcileJobParts): Promise<void> {
  const today = Temporal.Now.zonedDateTimeISO(parts.timeZone).startOfDay();
  const before = today.subtract({ days: 1 });
  const day = before.toPlainDate().toString();
  if (!(await parts.claimDay(day))) return;
  const span = { since: before.epochMilliseconds, until: today.epochMilliseconds };
  const lines = await parts.reconcile(span);
  parts.report(lines);
  for (const line of lines) {
    const isClean = line.unknown === 0 && line.open === 0 && (line.drift ?? 0) === 0;
    const level = isClean ? 'info' : 'warn';
    parts.log[level]({ day, ...line }, 'withdrawals reconciled');
  }
  await parts.keep(day, lines);
}
