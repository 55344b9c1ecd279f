import type { FastifyInstance } from 'fastify';
import { Refusal } from '../refusal.ts';
import { pathOf } from './request-context.ts';

/** The console's pages and the operators' API. */
const CONSOLE = /^\/(?:console|api\/admin)(?:\/|$)/;

/** Answers 404 to console requests from addresses that are not allowed, including requests with a wrong method. */
export function restrictConsole(app: FastifyInstance, isAllowed: (address: string) => boolean): void {
  app.addHook('onRequest', (request, reply, done) => {
    // Prefer the route's own path: a URL can spell it in many ways.
    const path = request.is404 ? pathOf(request.raw) : (request.routeOptions.url ?? '');
    if (CONSOLE.test(path) && !isAllowed(request.raw.context.address))
      reply.problem(new Refusal('not_found'));
    else done();
  });
}
