import type { Feature, FeatureContext } from '../../feature.ts';
import { localTime } from '../../runtime/time.ts';
import { openLegacyAdmin } from './admin/module.ts';
import { legacyAdminRoutes } from './admin/routes.ts';
import { legacyRecorder, type RecordLegacy } from './record-legacy.ts';
import { legacyStore } from './store.ts';

export interface LegacyTokensFeature extends Feature {
  readonly recordLegacy: RecordLegacy;
  /** Writes pending records. */
  flush(): Promise<void>;
}

export function openLegacyTokens({
  settings,
  db,
  log,
}: Pick<FeatureContext, 'settings' | 'db' | 'log'>): LegacyTokensFeature {
  const timeZone = settings.current.time_zone;
  const time = localTime(timeZone);
  const recorder = legacyRecorder({ store: legacyStore(db), time, log });
  return {
    recordLegacy: recorder.record,
    flush: recorder.flush,
    routes: (app) => legacyAdminRoutes(app, openLegacyAdmin({ db, timeZone })),
    close: recorder.close,
  };
}
