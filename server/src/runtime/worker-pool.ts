import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 30_000;
/** Who has served this long was not at fault for an earlier death: waits begin anew. */
const SETTLED_AFTER_MS = 60_000;
/** Longer than a process takes to finish the requests under way. */
const STOP_WITHIN_MS = 20_000;

/** How a worker ended that was not told to, or why it could not be started. */
export interface Ending {
  readonly worker: number | undefined;
  readonly exit_code?: number;
  readonly signal?: string;
  readonly err?: Error;
}

export interface Death extends Ending {
  /** 0 when it never served. */
  readonly served_seconds: number;
  /** None where the others simply go on. */
  readonly retry_in_seconds?: number;
}

export interface WorkerPool {
  /** Starts them. Settles when all have ended: with 0, or at once with the exit status of a first one that never served. */
  run(): Promise<number>;
  /** Those that serve now. */
  serving(): readonly Worker[];
  /** Replaces one after another while the others go on serving; calls that come meanwhile are one more round. */
  renew(): void;
  stop(): void;
}

/** A place for one worker: empty while one that died is being replaced. */
interface Place {
  worker?: Worker;
  wait: number;
}

/** Keeps `count` workers running: never more, but for the one that is about to take another's place. */
export function openWorkerPool(options: {
  readonly count: number;
  /** A worker that does not serve by then is killed. */
  readonly startWithinMs: number;
  readonly onDeath: (death: Death) => void;
}): WorkerPool {
  const places = Array.from({ length: options.count }, (): Place => ({ wait: FIRST_WAIT_MS }));
  const alive = new Set<Worker>();
  const { promise: allEnded, resolve: end } = Promise.withResolvers<number>();
  const stop = new AbortController();
  const stopping = stop.signal;

  /** A worker that serves, or how it ended before it did. */
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
      // A message to one that has just exited is an error too. Where no process was made (its program is missing while
      // an upgrade replaces it), there is no exit to wait for.
      if (worker.process.pid !== undefined) return;
      delete cluster.workers?.[worker.id];
      gone({ worker: undefined, err });
    });
    return promise;
  }

  function settle(place: Place, worker: Worker): void {
    if (place.worker !== undefined) {
      // Renewed and refilled at the same time: one is enough.
      void retire(worker);
      return;
    }
    place.worker = worker;
    const since = performance.now();
    worker.once('exit', (code, signal) => {
      if (place.worker !== worker) return;
      delete place.worker;
      const servedMs = performance.now() - since;
      if (servedMs > SETTLED_AFTER_MS) place.wait = FIRST_WAIT_MS;
      void refill(place, endingOf(worker, code, signal), servedMs);
    });
  }

  /** Tries until one serves: the database may be away, the settings file half written, Node itself being replaced. */
  async function refill(place: Place, ending: Ending, servedMs: number): Promise<void> {
    if (stopping.aborted) return;
    const { wait } = place;
    place.wait = Math.min(2 * wait, MAX_WAIT_MS);
    options.onDeath({
      ...ending,
      served_seconds: Math.round(servedMs / 1000),
      retry_in_seconds: wait / 1000,
    });
    await sleep(wait, undefined, { signal: stopping }).catch(() => {});
    await fill(place);
  }

  async function fill(place: Place): Promise<void> {
    if (stopping.aborted || place.worker !== undefined) return;
    const started = await start();
    if (isWorker(started)) settle(place, started);
    else await refill(place, started, 0);
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
    for (const place of places) {
      if (stopping.aborted) return;
      // An empty place is filled with a new one anyway.
      if (place.worker === undefined) continue;
      const next = await start();
      if (!isWorker(next)) {
        // The others go on as they are.
        if (!stopping.aborted) options.onDeath({ ...next, served_seconds: 0 });
        return;
      }
      const old = place.worker;
      delete place.worker;
      settle(place, next);
      if (old && !old.isDead()) await retire(old);
    }
  }

  let round = Promise.resolve();
  let rounds = 0;
  return {
    async run() {
      const [firstPlace, ...others] = places;
      // The first brings the database up to date, the others find it so. What cannot start at all would fail again.
      const first = await start();
      if (!isWorker(first)) return stopping.aborted ? 0 : first.exit_code || 1;
      if (firstPlace) settle(firstPlace, first);
      for (const place of others) void fill(place);
      return allEnded;
    },
    serving: () => places.flatMap(({ worker }) => worker ?? []),
    renew() {
      // One under way and one that waits, which will see everything that is new by now.
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
