import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerMetrics } from '../http/worker-metrics.ts';
import { relayBetweenWorkers } from '../runtime/worker-relay.ts';
import { answerAttempts } from '../security/worker-attempts.ts';
import { answerCounts } from '../security/worker-limiters.ts';

const RESTART_DELAY_MS = 1000;
const MAX_RESTART_DELAY_MS = 30_000;

/**
 * Runs the service as several processes on one port and keeps them running. SIGTERM stops all of them, SIGHUP renews them
 * one after another while the others go on serving. Answers the exit code.
 */
export async function superviseWorkers(count: number): Promise<number> {
  // Without Redis the throttles are counted here, so that guesses spread over the processes are still counted once.
  answerCounts();
  answerAttempts();
  answerMetrics();
  relayBetweenWorkers();

  const workers = new Set<Worker>();
  /** Sent SIGTERM because a new worker has taken their place. */
  const replaced = new WeakSet<Worker>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let stopping = false;

  /** Resolves when it serves, or with the exit code of one that never did. */
  function start(): Promise<'serving' | number> {
    const worker = cluster.fork();
    workers.add(worker);
    // A message to a worker that has exited is an error here; its exit is handled below.
    worker.on('error', () => {});
    return new Promise((resolve) => {
      let serving = false;
      worker.once('listening', () => {
        serving = true;
        resolve('serving');
      });
      worker.once('exit', (code) => {
        workers.delete(worker);
        resolve(code || 1);
        if (stopping && workers.size === 0) end();
        if (serving && !replaced.has(worker)) void sleep(RESTART_DELAY_MS).then(startUntilServing);
      });
    });
  }

  /** Starts one until it serves: the database may be away, or the settings file half written. */
  async function startUntilServing(): Promise<void> {
    for (let wait = RESTART_DELAY_MS; ; wait = Math.min(2 * wait, MAX_RESTART_DELAY_MS)) {
      if (stopping || (await start()) === 'serving') return;
      await sleep(wait);
    }
  }

  function stop(): void {
    stopping = true;
    if (workers.size === 0) end();
    for (const worker of workers) worker.process.kill('SIGTERM');
  }

  async function renew(): Promise<void> {
    for (const old of [...workers]) {
      // A worker that cannot start has logged why; the others keep running.
      if (stopping || (await start()) !== 'serving') return;
      replaced.add(old);
      old.process.kill('SIGTERM');
      if (!old.isDead()) await new Promise((gone) => old.once('exit', gone));
    }
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  let renewed = Promise.resolve();
  process.on('SIGHUP', () => {
    renewed = renewed.then(renew);
  });

  // The first brings the database up to date, the others find it so. What cannot start at all would fail again.
  const first = await start();
  if (first !== 'serving') return stopping ? 0 : first;
  for (let more = 1; more < count && !stopping; more++) void startUntilServing();
  await ended;
  return 0;
}
