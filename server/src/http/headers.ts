import type { FastifyInstance } from 'fastify';

export const JSON_TYPE = 'application/json; charset=utf-8';

export const REQUEST_ID = 'x-request-id';

/** Headers common to the router, the pre-router and the fast path. */
export const responseHeaders = {
  every: { 'x-content-type-options': 'nosniff' },
  /** For responses that carry or check a credential. */
  secret: { 'cache-control': 'no-store' },
  cached: (etag: string) => ({ etag, 'cache-control': 'no-cache' }),
} as const;

export function commonHeaders(requestId: string): Record<string, string> {
  return { [REQUEST_ID]: requestId, ...responseHeaders.every };
}

/** Sets the common headers on the router's responses, and records the route for logs and metrics. */
export function addCommonHeaders(app: FastifyInstance, { stopping }: { stopping: () => boolean }): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { context } = request.raw;
    if (!request.is404 && request.routeOptions.url !== undefined) context.route = request.routeOptions.url;
    reply.headers(commonHeaders(context.id));
    done();
  });
  // While stopping, make clients reconnect so that they reach another instance.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (stopping()) reply.header('connection', 'close');
    done(null, payload);
  });
}
