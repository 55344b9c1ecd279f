import type { Feature, FeatureContext } from '../../feature.ts';
import { mailQueue } from './notify-player.ts';
import { noticeStore } from './store.ts';

/** Sends mail to players about changes to their account. */
export function openNotices(context: Pick<FeatureContext, 'db' | 'mailer' | 'settings' | 'log'>) {
  const queue = mailQueue({ ...context, notices: noticeStore(context.db) });
  return { notifyPlayer: queue.notify, idle: queue.idle, close: queue.close } satisfies Feature;
}
