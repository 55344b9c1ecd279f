import { retention } from '../../db/delete-in-batches.ts';
import type { Feature, FeatureContext } from '../../feature.ts';
import { loginRecorder, type RecordLogin } from './login-recorder.ts';
import { type HistoryStore, historyStore, type RecordEvent } from './store.ts';

const MAX_WAITING = 20_000;

export interface HistoryFeature extends Feature {
  readonly recordLogin: RecordLogin;
  readonly recordEvent: RecordEvent;
  readonly loginsOf: HistoryStore['loginsOf'];
  /** Writes the waiting logins. */
  flush(): Promise<void>;
}

export function openHistory({
  settings,
  db,
  log,
  metrics,
}: Pick<FeatureContext, 'settings' | 'db' | 'log' | 'metrics'>): HistoryFeature {
  const history = historyStore(db);
  const retentionDays = () => settings.current.history.retention_days;
  const recorder = loginRecorder({
    store: history,
    maxWaiting: MAX_WAITING,
    dropped: (count) => metrics.historyDropped.inc(count),
    log,
  });
  metrics.watchQueue('login_history', recorder.waiting);
  return {
    recordLogin: recorder.record,
    recordEvent: history.recordEvent,
    loginsOf: history.loginsOf,
    sweeps: [
      retention('old logins', retentionDays, history.deleteOlderThan),
      retention('old events of players', retentionDays, history.deleteEventsOlderThan),
    ],
    flush: recorder.flush,
    close: recorder.close,
  };
}
