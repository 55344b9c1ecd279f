import { retention } from '../../db/delete-in-batches.ts';
import type { FeatureContext } from '../../feature.ts';
import { loginRecorder } from './login-recorder.ts';
import { historyStore } from './store.ts';

const MAX_WAITING = 20_000;

export function openHistory({
  settings,
  db,
  log,
  metrics,
}: Pick<FeatureContext, 'settings' | 'db' | 'log' | 'metrics'>) {
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
    loginsRecorded: recorder.recorded,
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
