import { routes } from '@gatehouse/contract';
import type { FastifyInstance } from 'fastify';
import { mount } from '../../http/mount.ts';
import { type ReportParts, reportChat } from './report.ts';

export function chatRoutes(app: FastifyInstance, parts: ReportParts): void {
  const { report, requireGameServer, countReport } = reportChat(parts);
  mount(app, routes.reportChat, ({ body, context }) => report(body, context), {
    admit: requireGameServer,
    count: countReport,
  });
}
