import { retention } from '../../db/delete-in-batches.ts';
import type { Feature, FeatureContext } from '../../feature.ts';
import { localTime } from '../../runtime/time.ts';
import { openTakeoverAdmin } from './admin/module.ts';
import { takeoverAdminRoutes } from './admin/routes.ts';
import { countRetiredHits } from './retired-hits.ts';
import { type RetiredEntry, takeoverStore } from './store.ts';

const KEEP_DAYS = 365;

export interface TakeoverFeature extends Feature {
  /** Counts a hit on an entry of the previous generation. Returns at once. */
  readonly hitRetired: (entry: RetiredEntry) => void;
  /** Writes the waiting counts. */
  flush(): Promise<void>;
}

export function openTakeover({
  settings,
  db,
  log,
}: Pick<FeatureContext, 'settings' | 'db' | 'log'>): TakeoverFeature {
  const store = takeoverStore(db);
  const hits = countRetiredHits({ store, time: localTime(settings.current.time_zone), log });
  const admin = openTakeoverAdmin({ db, settings: settings.current });
  return {
    hitRetired: hits.hit,
    flush: hits.flush,
    routes: (app) => takeoverAdminRoutes(app, admin),
    sweeps: [retention('old import sources', () => KEEP_DAYS, store.deleteOlderThan)],
    close: hits.close,
  };
}
