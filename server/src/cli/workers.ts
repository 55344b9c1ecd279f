import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { RateLimiterClusterMaster } from 'rate-limiter-flexible';
import { answerMetrics } from '../http/worker-metrics.ts';

const RESTART_DELAY_MS = 1000;

/**
 * Runs the service as several processes on one port and keeps them running. SIGTERM stops all of them, SIGHUP renews them
 * one after another while the others go on serving. Answers the exit code.
 */
export async function superviseWorkers(count: number): Promise<number> {
  // Without Redis the throttles are counted here, so that guesses spread over the processes are still counted once.
  new RateLimiterClusterMaster();
  answerMetrics();

  const workers = new Set<Worker>();
  /** Told to go because another has taken their place. */
  const replaced = new WeakSet<Worker>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let stopping = false;
  let exitCode = 0;

  /** Tells whether it came to serve. */
  function start(): Promise<boolean> {
    const worker = cluster.fork();
    workers.add(worker);
    let served = false;
    const listening = once(worker, 'listening').then(() => {
      served = true;
      return true;
    });
    const gone = once(worker, 'exit').then(([code]) => {
      workers.delete(worker);
      if (stopping) {
        if (workers.size === 0) end();
      } else if (!served) {
        // What cannot even start has told why, and would fail again.
        stop(Number(code) || 1);
      } else if (!replaced.has(worker)) void startAgain();
      return false;
    });
    return Promise.race([listening, gone]);
  }

  async function startAgain(): Promise<void> {
    await sleep(RESTART_DELAY_MS);
    if (!stopping) await start();
  }

  function stop(code: number): void {
    stopping = true;
    exitCode ||= code;
    if (workers.size === 0) end();
    for (const worker of workers) worker.process.kill('SIGTERM');
  }

  async function renew(): Promise<void> {
    for (const old of [...workers]) {
      if (stopping || !(await start())) return;
      replaced.add(old);
      old.process.kill('SIGTERM');
      if (!old.isDead()) await once(old, 'exit');
    }
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(0));
  let renewed = Promise.resolve();
  process.on('SIGHUP', () => {
    renewed = renewed.then(renew);
  });

  // The first brings the database up to date, the others find it so.
  if (await start()) for (let more = 1; more < count; more++) void start();
  await ended;
  return exitCode;
}
