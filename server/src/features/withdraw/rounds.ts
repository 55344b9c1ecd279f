import { inLanes } from './lanes.ts';
import type { ReportStore } from './report-store.ts';
import type { SettleUnknown } from './settle-unknown.ts';
import type { WithdrawStore } from './store.ts';

export interface RoundsParts {
  readonly recover: () => Promise<void>;
  readonly settle: SettleUnknown;
  readonly store: WithdrawStore;
  readonly reports: ReportStore;
  readonly openNow: (open: ReadonlyMap<string, number>) => void;
  readonly log: { warn(fields: object, message: string): void };
}

const ROUND_MS = 5000;
const ASKED_AT_ONCE = 200;
const SLOWEST_MS = 60_000;

/** Looks after what was left behind, at the start and every five seconds, on every instance. */
export function startRounds({ recover, settle, store, reports, openNow, log }: RoundsParts): {
  close(): void;
} {
  let closed = false;
  const timers = new Set<NodeJS.Timeout>();

  /** Rounds of one kind follow each other; a slow zone holds up its own kind alone. */
  function every(name: string, round: () => Promise<void>): void {
    const run = async () => {
      await round().catch((error) => log.warn({ err: error }, `${name} failed; it is tried again`));
      if (closed) return;
      const timer = setTimeout(() => {
        timers.delete(timer);
        void run();
      }, ROUND_MS);
      timers.add(timer.unref());
    };
    void run();
  }

  every('recovery of withdrawals', recover);
  every('settling of unknown withdrawals', politely(settle, store));
  every('counting of withdrawals', async () => openNow(await reports.open()));
  return {
    close() {
      closed = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/** Asks for each unknown withdrawal less and less often, so that a zone without an answer is not hammered. */
function politely(settle: SettleUnknown, store: WithdrawStore): () => Promise<void> {
  let waits = new Map<string, { until: number; ms: number }>();
  return async () => {
    const unknown = await store.unknown(ASKED_AT_ONCE);
    const started = performance.now();
    const next: typeof waits = new Map();
    const due = unknown.filter(({ withdrawal: { id } }) => {
      const wait = waits.get(id) ?? { until: 0, ms: ROUND_MS / 2 };
      const isDue = wait.until <= started;
      const ms = Math.min(SLOWEST_MS, wait.ms * 2);
      next.set(id, isDue ? { until: started + ms, ms } : wait);
      return isDue;
    });
    waits = next;
    await inLanes(due, ({ withdrawal, ageMs }) => settle(withdrawal, ageMs));
  };
}
