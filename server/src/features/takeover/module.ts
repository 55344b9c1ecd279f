import type { FastifyInstance } from 'fastify';
import { retention } from '../../db/delete-in-batches.ts';
import type { FeatureContext } from '../../feature.ts';
import { localTime } from '../../runtime/time.ts';
import { openTakeoverAdmin } from './admin/module.ts';
import { takeoverAdminRoutes } from './admin/routes.ts';
import { countRetiredHits } from './retired-hits.ts';
import { takeoverStore } from './store.ts';

const KEEP_DAYS = 365;

export function openTakeover({ settings, db, log }: Pick<FeatureContext, 'settings' | 'db' | 'log'>) {
  const store = takeoverStore(db);
  const hits = countRetiredHits({ store, time: localTime(settings.current.time_zone), log });
  const admin = openTakeoverAdmin({ db, settings: settings.current });
  return {
    hitRetired: hits.hit,
    flush: hits.flush,
    routes: (app: FastifyInstance) => takeoverAdminRoutes(app, admin),
    sweeps: [retention('old import sources', () => KEEP_DAYS, store.deleteOlderThan)],
    close: hits.close,
  };
}

export type TakeoverFeature = ReturnType<typeof openTakeover>;
