import type { Log } from '../../../logging/log.ts';
import type { Span, ZoneReport } from './reconcile.ts';

export interface ReconcileJobParts {
  readonly timeZone: string;
  readonly reconcile: (span: Span) => Promise<ZoneReport[]>;
  /** True for one of all instances. */
  readonly first: (day: string) => Promise<boolean>;
  readonly report: (lines: readonly ZoneReport[]) => void;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

/** When the day before is surely over and saved, and hardly anybody plays. */
const HOUR = 4;

/** Reconciles the day before, every night, on one of the instances. */
export function startReconcileJob(parts: ReconcileJobParts): { close(): void } {
  let timer: NodeJS.Timeout;
  let closed = false;

  function schedule(): void {
    const now = Temporal.Now.zonedDateTimeISO(parts.timeZone);
    const today = now.startOfDay().add({ hours: HOUR });
    const next = Temporal.ZonedDateTime.compare(today, now) > 0 ? today : today.add({ days: 1 });
    timer = setTimeout(night, next.epochMilliseconds - now.epochMilliseconds).unref();
  }

  async function night(): Promise<void> {
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
  if (!(await parts.first(day))) return;
  const span = { since: before.epochMilliseconds, until: today.epochMilliseconds };
  const lines = await parts.reconcile(span);
  parts.report(lines);
  for (const line of lines) {
    const isClean = line.unknown === 0 && line.open === 0 && (line.drift ?? 0) === 0;
    const level = isClean ? 'info' : 'warn';
    parts.log[level]({ day, ...line }, 'withdrawals reconciled');
  }
}
