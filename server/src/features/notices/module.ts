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
  log,
}: Pick<FeatureContext, 'db' | 'mailer' | 'settings' | 'log'>): NoticesFeature {
  const queue = mailQueue({ notices: noticeStore(db), mailer, settings, log });
  return { notifyPlayer: queue.notify, idle: queue.idle, close: queue.close };
}
