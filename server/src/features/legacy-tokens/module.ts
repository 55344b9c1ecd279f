import type { FastifyInstance } from 'fastify';
import type { FeatureContext } from '../../feature.ts';
import { localTime } from '../../runtime/time.ts';
import { openLegacyAdmin } from './admin/module.ts';
import { legacyAdminRoutes } from './admin/routes.ts';
import { legacyRecorder } from './record-legacy.ts';
import { legacyStore } from './store.ts';

export function openLegacyTokens({ settings, db, log }: Pick<FeatureContext, 'settings' | 'db' | 'log'>) {
  const timeZone = settings.current.time_zone;
  const time = localTime(timeZone);
  const recorder = legacyRecorder({ store: legacyStore(db), time, log });
  return {
    recordLegacy: recorder.record,
    flush: recorder.flush,
    routes: (app: FastifyInstance) => legacyAdminRoutes(app, openLegacyAdmin({ db, timeZone })),
    close: recorder.close,
  };
}
