import type { FastifyInstance } from 'fastify';
import { jobLease } from '../../db/job-lease.ts';
import type { FeatureContext } from '../../feature.ts';
import { localTime } from '../../runtime/time.ts';
import { openStatsAdmin } from './admin/module.ts';
import { statsAdminRoutes } from './admin/routes.ts';
import { readByZone } from './read-figures.ts';
import { exportServiceGauges, type ServiceGaugeDeps } from './service-gauges.ts';
import { statSources } from './sources.ts';
import { statStore } from './store.ts';
import { startSumJob } from './sum-job.ts';

const LEASE_MS = 60_000;
/** Longer than any transaction may take, plus the age that a login may have when it is written (MAX_AGE_MS). */
const SETTLE_MS = 30_000;

/** Returns how many players entered each zone today. The zones use it, and stats uses the zones. */
export function openEntriesToday({ settings, db }: Pick<FeatureContext, 'settings' | 'db'>) {
  const time = localTime(settings.current.time_zone);
  const byZone = readByZone({ stats: statStore(db), sources: statSources(db, time) });
  return () => byZone('entries', time.today().day);
}

interface StatsContext
  extends Pick<FeatureContext, 'settings' | 'db' | 'log' | 'metrics'>,
    Pick<ServiceGaugeDeps, 'isRedisUp' | 'databaseTime'> {
  /** Counts the zones, of the given or of all, whose game port does not answer. */
  readonly zonesDown: (zones: readonly number[] | null) => number;
}

/** Daily sums for the dashboard, computed by a job. */
export function openStats(context: StatsContext) {
  const { settings, db, log, metrics, zonesDown } = context;
  const timeZone = settings.current.time_zone;
  const cap = () => settings.current.day_max_reg;
  const admin = openStatsAdmin({ db, settings: settings.current, zonesDown, cap });
  const time = localTime(timeZone);
  const stats = statStore(db);
  exportServiceGauges({ ...context, registrationsToday: () => stats.registrationsOn(time.today().day) });
  const job = startSumJob({
    sources: statSources(db, time),
    stats,
    lease: jobLease(db, 'day_stat', LEASE_MS),
    timeZone,
    settleMs: SETTLE_MS,
    log,
    succeeded: metrics.job('day_stat'),
  });
  return {
    job,
    figuresOfPromoter: admin.figuresOfPromoter,
    routes: (app: FastifyInstance) => statsAdminRoutes(app, admin),
    close: job.close,
  };
}
