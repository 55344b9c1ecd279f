import type { Feature, FeatureContext } from '../../feature.ts';
import { mailQueue, type NotifyPlayer } from './notify-player.ts';
import { noticeStore } from './store.ts';

export interface NoticesFeature extends Feature {
  readonly notifyPlayer: NotifyPlayer;
  /** Resolves when every notice so far has been sent or given up. */
  idle(): Promise<void>;
}

/** Sends mail to players about changes to their account. */
export function openNotices({
  db,
  mailer,
  settings,
  metrics,
  log,
}: Pick<FeatureContext, 'db' | 'mailer' | 'settings' | 'metrics' | 'log'>): NoticesFeature {
  const queue = mailQueue({
    notices: noticeStore(db),
    mailer,
    settings,
    dropped: () => metrics.countMail('notice', 'dropped'),
    log,
  });
  metrics.watchQueue('notices', queue.waiting);
  return { notifyPlayer: queue.notify, idle: queue.idle, close: queue.close };
}
