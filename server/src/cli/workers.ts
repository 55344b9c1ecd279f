import { Counter, Registry } from 'prom-client';
import { MIGRATION_TIMEOUT_MS } from '../db/migration-lock.ts';
import { answerMetrics } from '../http/metrics.ts';
import { openLog } from '../logging/logger.ts';
import { relayBetweenWorkers } from '../runtime/worker-ipc.ts';
import { openWorkerPool } from '../runtime/worker-pool.ts';
import { answerAttempts } from '../security/worker-attempts.ts';
import { answerCounts } from '../security/worker-limiters.ts';
import type { Settings } from '../settings/schema.ts';

/** A new version may have to migrate first, after another instance has finished migrating. */
export const START_WITHIN_MS = 2 * MIGRATION_TIMEOUT_MS;

/**
 * Runs the service as several processes on one port and keeps them running. SIGTERM stops them all; SIGHUP renews them one by
 * one while the others keep serving. Returns the exit code.
 */
export async function superviseWorkers(count: number, settings: Pick<Settings, 'log'>): Promise<number> {
  const { log, flush } = openLog(settings.log);
  const registry = new Registry();
  const deaths = new Counter({
    name: 'gatehouse_worker_deaths_total',
    help: 'Worker processes that ended unexpectedly or could not be started',
    registers: [registry],
  });
  const pool = openWorkerPool({
    count,
    startWithinMs: START_WITHIN_MS,
    onDeath(death) {
      deaths.inc();
      log.error(
        death,
        death.served_seconds > 0 || !death.err ? 'worker died' : 'worker could not be started',
      );
    },
  });

  // Without Redis, throttles are counted here, so that guesses spread over the processes count together.
  answerCounts();
  answerAttempts();
  answerMetrics({ own: registry, workers: pool.serving });
  relayBetweenWorkers();

  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, pool.stop);
  process.on('SIGHUP', pool.renew);
  const code = await pool.run();
  await flush();
  return code;
}
