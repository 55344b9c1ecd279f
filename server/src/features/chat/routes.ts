import { routes } from '@gatehouse/contract';
import type { FastifyInstance } from 'fastify';
import { mountDirect } from '../../http/direct.ts';
import { type ReportParts, reportChat } from './report.ts';

export function chatRoutes(app: FastifyInstance, parts: ReportParts): void {
  const { report, refuseStranger } = reportChat(parts);
  mountDirect(app, routes.reportChat, (body, { address }) => report(body, address), {
    admit: ({ address }) => refuseStranger(address),
  });
}
