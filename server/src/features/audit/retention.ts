import type { Log } from '../../logging/log.ts';
import { type RetentionJob, startRetentionJob } from '../../runtime/retention-job.ts';
import type { AuditStore } from './store.ts';

interface RetentionParts {
  readonly audit: AuditStore;
  readonly days: () => number;
  readonly log: Pick<Log, 'warn'>;
}

export function startAuditRetention({ audit, days, log }: RetentionParts): RetentionJob {
  return startRetentionJob({
    forgetOlderThan: audit.forgetOlderThan,
    days,
    onError: (err) => log.warn({ err }, 'old audit records could not be deleted'),
  });
}
