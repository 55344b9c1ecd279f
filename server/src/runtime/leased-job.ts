import { pollLoop } from './poll-loop.ts';

export interface Lease {
  /** Reports whether this instance may run the job now. Renews the lease after half of its time. */
  hold(): Promise<boolean>;
  /** Lets another instance take over at once. */
  release(): Promise<void>;
}

export interface LeasedJob {
  /** Runs one more round, in addition to the scheduled ones. */
  run(): Promise<void>;
  close(): Promise<void>;
}

interface LeasedJobParts {
  readonly lease: Lease;
  readonly intervalMs: number;
  /** Delay of the first round; none by default. */
  readonly firstAfterMs?: number;
  /** Runs one round. A long one calls `mayGoOn` between its steps. */
  readonly work: (mayGoOn: () => Promise<boolean>) => Promise<void>;
  readonly failed: (error: unknown) => void;
}

/** Runs work at an interval, on one instance at a time and never concurrently. */
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
