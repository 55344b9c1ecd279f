import { adminRoutes } from '@gatehouse/contract/admin';
import type { FastifyInstance } from 'fastify';
import { mount } from '../../../http/mount.ts';
import type { TakeoverAdmin } from './module.ts';

export function takeoverAdminRoutes(app: FastifyInstance, { status }: Pick<TakeoverAdmin, 'status'>): void {
  mount(app, adminRoutes.takeover, () => status());
}
