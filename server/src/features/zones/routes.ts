import { routes } from '@gatehouse/contract';
import type { FastifyInstance } from 'fastify';
import { mountCachedJson } from '../../http/fast-path/cached-json.ts';
import type { ZoneCache } from './zone-cache.ts';

export function zoneRoutes(app: FastifyInstance, zones: ZoneCache): void {
  mountCachedJson(app, routes.serverList, zones.list);
}
