import { routes } from '@gatehouse/contract';
import type { FastifyInstance } from 'fastify';
import { mount } from '../../http/mount.ts';
import type { ZoneCache } from './zone-cache.ts';

export function zoneRoutes(app: FastifyInstance, zones: ZoneCache): void {
  mount(app, routes.serverList, zones.list);
}
