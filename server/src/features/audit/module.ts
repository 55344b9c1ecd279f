import type { Feature, FeatureContext } from '../../feature.ts';
import { type RetentionJob, startRetentionJob } from '../../runtime/retention-job.ts';
import { openAuditAdmin } from './admin/module.ts';
import { auditAdminRoutes } from './admin/routes.ts';
import { auditStore } from './store.ts';

export interface AuditFeature extends Feature {
  readonly retention: RetentionJob;
}

export function openAudit({
  settings,
  db,
  log,
}: Pick<FeatureContext, 'settings' | 'db' | 'log'>): AuditFeature {
  const retention = startRetentionJob({
    deleteOlderThan: auditStore(db).deleteOlderThan,
    days: () => settings.current.audit.retention_days,
    onError: (err) => log.warn({ err }, 'old audit records could not be deleted'),
  });
  return {
    retention,
    routes: (app) => auditAdminRoutes(app, openAuditAdmin({ db })),
    close: retention.close,
  };
}
