import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Lease {
  /** Reports whether this instance may run the job now. Renews the lease after half of its time. */
  hold(): Promise<boolean>;
  /** Lets another instance take over immediately. */
  release(): Promise<void>;
}

export interface Job {
  /** Runs one more round, in addition to the scheduled ones and never at the same time as another. */
  run(): Promise<void>;
  /** Stops the job. Resolves when no round is running. */
  close(): Promise<void>;
}

export interface JobOptions {
  /** From the end of one round to the start of the next. */
  readonly intervalMs: number;
  /** Delay of the first round; none by default. */
  readonly firstAfterMs?: number;
  /** If set, only the instance that holds the lease works. */
  readonly lease?: Lease;
  /** Runs one round. A long one calls `mayGoOn` between its steps. */
  readonly work: (mayGoOn: () => Promise<boolean>) => unknown;
  /** Called if a round fails; the next one still runs. Without it the work must not fail. */
  readonly failed?: (error: unknown) => void;
  /** Called after each round of this instance that did not fail. */
  readonly succeeded?: (() => void) | undefined;
}

/** Runs work at an interval, without overlap and, with a lease, on one instance at a time. */
export function startJob(options: JobOptions): Job {
  const { intervalMs, firstAfterMs = 0, lease, work, failed, succeeded } = options;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  const mayGoOn = async () => !closed && (lease === undefined || (await lease.hold()));

  async function round(): Promise<void> {
    try {
      if (!(await mayGoOn())) return;
      await work(mayGoOn);
      if (!closed) succeeded?.();
    } catch (error) {
      if (failed === undefined) throw error;
      failed(error);
    }
  }

  function run(): Promise<void> {
    // The first round begins immediately, so that a job that is closed in the same turn still runs it.
    running = running === undefined ? round() : running.then(round);
    return running;
  }

  async function runScheduled(): Promise<void> {
    await run();
    schedule(intervalMs);
  }

  function schedule(ms: number): void {
    if (!closed) timer = setTimeout(runScheduled, ms).unref();
  }

  if (firstAfterMs > 0) schedule(firstAfterMs);
  else void runScheduled();
  return {
    run,
    async close() {
      closed = true;
      clearTimeout(timer);
      await running;
      await lease?.release().catch(() => {});
    },
  };
}

/** Background work pauses this many times as long as it took. */
const PAUSE_FACTOR = 3;
const BUSY = 0.5;
const BUSY_PAUSE_MS = 1000;

/** Reports at each call whether the process was busy since the previous one. */
export function busyMeter(): () => boolean {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization > BUSY;
  };
}

/** Pauses after a piece of background work: briefly, and much longer if requests keep the process busy. */
export async function backgroundPause(workMs: number): Promise<void> {
  const wasBusy = busyMeter();
  await sleep(workMs * PAUSE_FACTOR);
  if (wasBusy()) await sleep(BUSY_PAUSE_MS);
}
