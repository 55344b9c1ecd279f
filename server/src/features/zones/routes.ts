import { routes } from '@gatehouse/contract';
import type { FastifyInstance } from 'fastify';
import { mountReady } from '../../http/ready-body.ts';
import type { ZoneBoard } from './zone-cache.ts';

export function zoneRoutes(app: FastifyInstance, { zones }: { zones: ZoneBoard }): void {
  mountReady(app, routes.serverList, zones.list);
}
