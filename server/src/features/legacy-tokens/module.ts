import type { Feature, FeatureContext } from '../../feature.ts';
import { localTime } from '../../runtime/local-time.ts';
import { legacyRecorder, type RecordLegacy } from './record-legacy.ts';
import { legacyStore } from './store.ts';

export interface LegacyTokensFeature extends Feature {
  readonly recordLegacy: RecordLegacy;
  /** Writes what waits to be written. */
  flush(): Promise<void>;
}

export function openLegacyTokens({
  settings,
  db,
  log,
}: Pick<FeatureContext, 'settings' | 'db' | 'log'>): LegacyTokensFeature {
  const time = localTime(settings.current.time_zone);
  const recorder = legacyRecorder({ store: legacyStore(db), time, log });
  return { recordLegacy: recorder.record, flush: recorder.flush, close: recorder.close };
}
