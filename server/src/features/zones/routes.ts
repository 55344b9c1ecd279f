import { routes } from '@gatehouse/contract';
import type { FastifyInstance } from 'fastify';
import { mountReady } from '../../http/ready-body.ts';
import type { ZoneCache } from './zone-cache.ts';

export function zoneRoutes(app: FastifyInstance, { zones }: { zones: ZoneCache }): void {
  mountReady(app, routes.serverList, zones.list);
}
