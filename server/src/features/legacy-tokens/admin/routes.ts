import { adminRoutes } from '@gatehouse/contract/admin';
import type { FastifyInstance } from 'fastify';
import { mount } from '../../../http/mount.ts';
import type { LegacyAdmin } from './module.ts';

export function legacyAdminRoutes(app: FastifyInstance, { report }: LegacyAdmin): void {
  mount(app, adminRoutes.legacy, ({ operator }) => report(operator.zones));
}
