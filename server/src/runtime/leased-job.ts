import { pollLoop } from './poll-loop.ts';

export interface Lease {
  /** Whether this instance may run the job now; renews the lease when half of it is over. */
  hold(): Promise<boolean>;
  /** Lets another instance go on at once. */
  release(): Promise<void>;
}

export interface LeasedJob {
  /** One round more, beside those that the job makes by itself. */
  run(): Promise<void>;
  close(): Promise<void>;
}

interface LeasedJobParts {
  readonly lease: Lease;
  readonly intervalMs: number;
  /** Until the first round; at once if left out. */
  readonly firstAfterMs?: number;
  /** One round; a long one asks between its steps whether it may go on. */
  readonly work: (mayGoOn: () => Promise<boolean>) => Promise<void>;
  readonly failed: (error: unknown) => void;
}

/** Rounds of work at an interval, on one instance at a time, never two at once. */
export function leasedJob({ lease, intervalMs, firstAfterMs, work, failed }: LeasedJobParts): LeasedJob {
  let closed = false;
  let running = Promise.resolve();
  const mayGoOn = async () => !closed && (await lease.hold());

  async function round(): Promise<void> {
    try {
      if (await mayGoOn()) await work(mayGoOn);
    } catch (error) {
      failed(error);
    }
  }

  const run = () => {
    running = running.then(round);
    return running;
  };
  const polling = pollLoop(intervalMs, run, firstAfterMs);
  return {
    run,
    async close() {
      closed = true;
      await polling.close();
      await running;
      await lease.release().catch(() => {});
    },
  };
}
