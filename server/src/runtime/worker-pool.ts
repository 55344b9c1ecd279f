import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 30_000;
/** A worker that has served this long resets the backoff. */
const SETTLED_AFTER_MS = 60_000;
/** Longer than a process takes to finish its requests. */
const STOP_WITHIN_MS = 20_000;

/** How a worker exited unexpectedly, or why it could not be started. */
export interface Ending {
  readonly worker: number | undefined;
  readonly exit_code?: number;
  readonly signal?: string;
  readonly err?: Error;
}

export interface Death extends Ending {
  /** 0 if it never served. */
  readonly served_seconds: number;
  /** Undefined if a renewal failed and the old workers keep serving. */
  readonly retry_in_seconds?: number;
}

/** A slot for one worker, empty while a dead one is being replaced. */
interface Slot {
  worker?: Worker;
  wait: number;
}

/** Keeps `count` workers running, and at most one more while it replaces another. */
export function openWorkerPool(options: {
  readonly count: number;
  /** A worker that does not serve by then is killed. */
  readonly startWithinMs: number;
  readonly onDeath: (death: Death) => void;
}) {
  const slots = Array.from({ length: options.count }, (): Slot => ({ wait: FIRST_WAIT_MS }));
  const alive = new Set<Worker>();
  const { promise: allEnded, resolve: end } = Promise.withResolvers<number>();
  const stop = new AbortController();
  const stopping = stop.signal;

  /** Returns a serving worker, or how it exited before serving. */
  function start(): Promise<Worker | Ending> {
    const { promise, resolve } = Promise.withResolvers<Worker | Ending>();
    const worker = cluster.fork();
    alive.add(worker);
    const late = setTimeout(() => worker.process.kill('SIGKILL'), options.startWithinMs);
    const gone = (ending: Ending) => {
      clearTimeout(late);
      alive.delete(worker);
      resolve(ending);
      if (stopping.aborted && alive.size === 0) end(0);
    };
    worker.once('listening', () => {
      clearTimeout(late);
      resolve(worker);
    });
    worker.once('exit', (code, signal) => gone(endingOf(worker, code, signal)));
    worker.on('error', (err) => {
      // Ignore a failed message to a worker that has just exited. If no process was created (an upgrade is replacing its
      // program), there is no exit event to wait for.
      if (worker.process.pid !== undefined) return;
      delete cluster.workers?.[worker.id];
      gone({ worker: undefined, err });
    });
    return promise;
  }

  function settle(slot: Slot, worker: Worker): void {
    if (slot.worker !== undefined) {
      // The slot was renewed and refilled at the same time; keep one.
      void retire(worker);
      return;
    }
    slot.worker = worker;
    const since = performance.now();
    worker.once('exit', (code, signal) => {
      if (slot.worker !== worker) return;
      delete slot.worker;
      const servedMs = performance.now() - since;
      if (servedMs > SETTLED_AFTER_MS) slot.wait = FIRST_WAIT_MS;
      void refill(slot, endingOf(worker, code, signal), servedMs);
    });
  }

  /**
   * Retries until a worker serves: the database may be unavailable, the settings file half written, or Node itself being
   * replaced.
   */
  async function refill(slot: Slot, ending: Ending, servedMs: number): Promise<void> {
    if (stopping.aborted) return;
    const { wait } = slot;
    slot.wait = Math.min(2 * wait, MAX_WAIT_MS);
    options.onDeath({
      ...ending,
      served_seconds: Math.round(servedMs / 1000),
      retry_in_seconds: wait / 1000,
    });
    await sleep(wait, undefined, { signal: stopping }).catch(() => {});
    await fill(slot);
  }

  async function fill(slot: Slot): Promise<void> {
    if (stopping.aborted || slot.worker !== undefined) return;
    const started = await start();
    if (isWorker(started)) settle(slot, started);
    else await refill(slot, started, 0);
  }

  function retire(worker: Worker): Promise<void> {
    const { promise, resolve: gone } = Promise.withResolvers<void>();
    const late = setTimeout(() => worker.process.kill('SIGKILL'), STOP_WITHIN_MS);
    worker.once('exit', () => {
      clearTimeout(late);
      gone();
    });
    worker.process.kill('SIGTERM');
    return promise;
  }

  async function renewAll(): Promise<void> {
    for (const slot of slots) {
      if (stopping.aborted) return;
      // An empty slot gets a new worker anyway.
      if (slot.worker === undefined) continue;
      const next = await start();
      if (!isWorker(next)) {
        // The other workers keep serving.
        if (!stopping.aborted) options.onDeath({ ...next, served_seconds: 0 });
        return;
      }
      const old = slot.worker;
      delete slot.worker;
      settle(slot, next);
      if (old && !old.isDead()) await retire(old);
    }
  }

  let round = Promise.resolve();
  let rounds = 0;
  return {
    /**
     * Starts the workers. Resolves to 0 when all have exited, or immediately to the exit status of a first worker that never
     * served.
     */
    async run() {
      const [firstSlot, ...others] = slots;
      // The first worker migrates the database for the others. If it cannot start, the others would fail too.
      const first = await start();
      if (!isWorker(first)) return stopping.aborted ? 0 : first.exit_code || 1;
      if (firstSlot) settle(firstSlot, first);
      for (const slot of others) void fill(slot);
      return allEnded;
    },
    serving: () => slots.flatMap(({ worker }) => worker ?? []),
    /** Replaces the workers one by one while the others keep serving. Calls made meanwhile cause one further round. */
    renew() {
      // At most one round runs and one waits; the waiting one covers all changes so far.
      if (rounds > 1) return;
      rounds++;
      round = round.then(renewAll).finally(() => rounds--);
    },
    stop() {
      stop.abort();
      if (alive.size === 0) end(0);
      for (const worker of alive) worker.process.kill('SIGTERM');
    },
  };
}

const isWorker = (started: Worker | Ending): started is Worker => 'process' in started;

function endingOf(worker: Worker, code: number | null, signal: string | null): Ending {
  return {
    worker: worker.process.pid,
    ...(code !== null && { exit_code: code }),
    ...(signal !== null && { signal }),
  };
}
