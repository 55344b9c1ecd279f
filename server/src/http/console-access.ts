import type { FastifyInstance } from 'fastify';
import { Refusal } from '../refusal.ts';
import { pathOf } from './request-context.ts';

/** The console's pages and the operators' API. */
const CONSOLE = /^\/(?:console|api\/admin)(?:\/|$)/;

/** Hides the console from everybody whom the operator has not let in: as if it did not exist, wrong methods included. */
export function restrictConsole(app: FastifyInstance, isAllowed: (address: string) => boolean): void {
  app.addHook('onRequest', (request, reply, done) => {
    // The route's own path where there is one: a URL can spell it in many ways.
    const path = request.is404 ? pathOf(request.raw) : (request.routeOptions.url ?? '');
    if (CONSOLE.test(path) && !isAllowed(request.raw.context.address))
      reply.problem(new Refusal('not_found'));
    else done();
  });
}
