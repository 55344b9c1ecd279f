import { adminRoutes } from '@gatehouse/contract/admin';
import type { FastifyInstance } from 'fastify';
import { mount } from '../../../http/mount.ts';
import type { LiveSettings } from '../../../settings/live.ts';
import type { Finding } from './finding.ts';
import { listSettings } from './settings.ts';

interface SystemDeps {
  readonly settings: LiveSettings;
  readonly examine: () => Promise<Finding[]>;
}

/** Shows the settings of this installation and whether it is in order. */
export function systemAdminRoutes(app: FastifyInstance, { settings, examine }: SystemDeps): void {
  mount(app, adminRoutes.doctor, async () => ({ findings: await examine() }));
  mount(app, adminRoutes.settings, () => ({ settings: listSettings(settings) }));
}
