import { routes } from '@gatehouse/contract';
import type { FastifyInstance } from 'fastify';
import { mount } from '../../http/mount.ts';
import { type ReportDeps, reportChat } from './report.ts';

export function chatRoutes(app: FastifyInstance, deps: ReportDeps): void {
  const { report, requireGameServer, countReport } = reportChat(deps);
  mount(app, routes.reportChat, ({ body, context }) => report(body, context), {
    admit: requireGameServer,
    count: countReport,
  });
}
