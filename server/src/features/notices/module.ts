import type { FeatureContext } from '../../feature.ts';
import { mailQueue } from './notify-player.ts';
import { noticeStore } from './store.ts';

/** Sends mail to players about changes to their account. */
export function openNotices({
  db,
  mailer,
  settings,
  metrics,
  log,
}: Pick<FeatureContext, 'db' | 'mailer' | 'settings' | 'metrics' | 'log'>) {
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
