import type { FastifyInstance } from 'fastify';

/** What every answer carries, and what the logs call its route. */
export function commonHeaders(app: FastifyInstance, { stopping }: { stopping: () => boolean }): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { context } = request.raw;
    if (!request.is404 && request.routeOptions.url !== undefined) context.route = request.routeOptions.url;
    reply.header('x-request-id', context.id).header('x-content-type-options', 'nosniff');
    done();
  });
  // While stopping, callers are told to come back on another connection, and so to another instance.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (stopping()) reply.header('connection', 'close');
    done(null, payload);
  });
}
