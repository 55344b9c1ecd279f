import type { Feature, FeatureContext } from '../../feature.ts';
import { type RetentionJob, startRetentionJob } from '../../runtime/retention-job.ts';
import { loginRecorder } from './login-recorder.ts';
import type { RecordLogin } from './record-login.ts';
import { type HistoryStore, historyStore } from './store.ts';

const MAX_WAITING = 20_000;

export interface HistoryFeature extends Feature {
  readonly recordLogin: RecordLogin;
  readonly history: Pick<HistoryStore, 'loginsOf' | 'othersAt'>;
  readonly retention: RetentionJob;
  /** Writes what waits to be written. */
  flush(): Promise<void>;
}

export function openHistory({
  settings,
  db,
  log,
  metrics,
}: Pick<FeatureContext, 'settings' | 'db' | 'log' | 'metrics'>): HistoryFeature {
  const history = historyStore(db);
  const recorder = loginRecorder({
    store: history,
    maxWaiting: MAX_WAITING,
    dropped: (count) => metrics.historyDropped.inc(count),
    log,
  });
  const retention = startRetentionJob({
    deleteOlderThan: history.deleteOlderThan,
    days: () => settings.current.history.retention_days,
    onError: (err) => log.warn({ err }, 'old logins could not be deleted'),
  });
  return {
    recordLogin: recorder.record,
    history,
    retention,
    flush: recorder.flush,
    async close() {
      retention.close();
      await recorder.close();
    },
  };
}
