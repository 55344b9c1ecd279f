import type { Log } from '../../logging/log.ts';
import { type RetentionJob, startRetentionJob } from '../../runtime/retention-job.ts';
import type { ChatStore } from './store.ts';

interface RetentionParts {
  readonly chat: ChatStore;
  readonly days: () => number;
  readonly log: Pick<Log, 'warn'>;
}

export function startRetention({ chat, days, log }: RetentionParts): RetentionJob {
  return startRetentionJob({
    forgetOlderThan: chat.forgetOlderThan,
    days,
    onError: (err) => log.warn({ err }, 'old chat could not be deleted'),
  });
}
