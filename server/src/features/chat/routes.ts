import { routes } from '@gatehouse/contract';
import type { FastifyInstance } from 'fastify';
import { mountFastPath } from '../../http/fast-path/mount-fast-path.ts';
import { type ReportParts, reportChat } from './report.ts';

export function chatRoutes(app: FastifyInstance, parts: ReportParts): void {
  const { report, refuseStranger } = reportChat(parts);
  mountFastPath(app, routes.reportChat, (body, { address }) => report(body, address), {
    admit: ({ address }) => refuseStranger(address),
  });
}
