import { hash } from 'node:crypto';
import { retention } from '../../db/delete-in-batches.ts';
import type { Feature, FeatureContext } from '../../feature.ts';
import type { LiveSettings, SettingChanges } from '../../settings/live.ts';
import { openAuditAdmin } from './admin/module.ts';
import { auditAdminRoutes } from './admin/routes.ts';
import { append, auditStore } from './store.ts';

interface AuditContext extends Pick<FeatureContext, 'settings' | 'db' | 'log' | 'nonces'> {
  /** The settings file without controls, whose changes have their own rows. */
  readonly base: LiveSettings;
}

/** Instances that read the same change within this time write one row. */
const SAME_CHANGE_MS = 60_000;
const FILE = { name: 'settings file', via: 'service' } as const;

export function openAudit({ settings, base, db, nonces, log }: AuditContext): Feature {
  async function recordChange(changed: SettingChanges | undefined): Promise<void> {
    if (changed === undefined || Object.keys(changed.after).length === 0) return;
    const key = hash('sha256', JSON.stringify(changed));
    if (!(await nonces.use('settings', key, SAME_CHANGE_MS))) return;
    await db.transaction((trx) =>
      append(trx, {
        actor: FILE,
        action: 'settings.changed',
        subject: { kind: 'settings', id: 'file' },
        ...changed,
      }),
    );
  }
  base.onChange((_settings, changed) => {
    recordChange(changed).catch((err) => log.warn({ err }, 'changed settings could not be recorded'));
  });
  return {
    sweeps: [
      retention(
        'old audit records',
        () => settings.current.audit.retention_days,
        auditStore(db).deleteOlderThan,
      ),
    ],
    routes: (app) => auditAdminRoutes(app, openAuditAdmin({ db })),
  };
}
