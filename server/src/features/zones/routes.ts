import { routes } from '@gatehouse/contract';
import type { FastifyInstance } from 'fastify';
import { mount } from '../../http/mount.ts';
import { sendReady } from '../../http/ready-body.ts';
import type { ZoneBoard } from './board.ts';

export function zoneRoutes(app: FastifyInstance, { zones }: { zones: ZoneBoard }): void {
  mount(app, routes.serverList, ({ request, reply }) => sendReady(request, reply, zones.list()));
}
