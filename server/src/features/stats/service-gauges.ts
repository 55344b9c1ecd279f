import { statfs } from 'node:fs/promises';
import type { Metrics } from '../../http/metrics.ts';
import type { LiveSettings } from '../../settings/live.ts';
import { dataFolders } from '../../settings/load.ts';

export interface ServiceGaugeDeps {
  readonly metrics: Pick<Metrics, 'readAtScrape'>;
  readonly settings: LiveSettings;
  /** Undefined if Redis is not used. */
  readonly isRedisUp: (() => boolean) | undefined;
  /** Returns the time by the database clock. */
  readonly databaseTime: () => number;
  readonly registrationsToday: () => Promise<number>;
}

/** Exports the state of what the service depends on, read at each scrape. */
export function exportServiceGauges(deps: ServiceGaugeDeps): void {
  const { metrics, settings, isRedisUp, databaseTime, registrationsToday } = deps;
  const { readAtScrape } = metrics;
  if (isRedisUp) readAtScrape('redis_up', 'Whether Redis answers: 1 or 0', async () => Number(isRedisUp()));
  readAtScrape(
    'database_clock_skew_seconds',
    'How far the clock of the database is ahead of this machine',
    async () => (databaseTime() - Date.now()) / 1000,
  );
  readAtScrape('registrations_today', 'Registrations of the day, in time_zone', registrationsToday);
  readAtScrape(
    'registrations_cap',
    'Registrations allowed a day, with controls',
    async () => settings.current.day_max_reg,
  );
  for (const [of, folder] of Object.entries(dataFolders(settings.current)))
    readAtScrape(`${of}_disk_free_bytes`, `Free space for the files of ${of}`, async () => {
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    });
}
