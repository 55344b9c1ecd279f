import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Log } from '../../logging/log.ts';
import type { Refusal } from '../../refusal.ts';
import { scheduleBatch } from '../../runtime/batch-scheduler.ts';
import type { RefusalOf } from '../errors.ts';
import { type PreRouterParts, sendProblem } from '../pre-router.ts';
import type { RequestContext } from '../request-context.ts';
import { BufferedRequest } from './buffered-request.ts';
import { type FastRoute, fastRoute } from './fast-route.ts';
import { sendBatched } from './raw-response.ts';
import { isUsable } from './supported-node.ts';

interface FastPathParts {
  readonly enabled: boolean;
  readonly nodeVersion?: string;
  readonly log: Pick<Log, 'warn'>;
  readonly stopping: () => boolean;
  readonly refusalOf: RefusalOf;
  readonly countRefusal: (refusal: Refusal, context: RequestContext) => void;
}

export interface FastPath {
  /** The pre-router's parts, with the fast path as its last handler. */
  extend(parts: PreRouterParts): PreRouterParts;
  /** Takes up every route mounted from now on that declares itself `fastPath`. */
  watchRoutes(app: FastifyInstance): void;
}

/** Serves plain requests for the busiest routes without the router; see docs/decisions/0009-fast-path.md. */
export function createFastPath(parts: FastPathParts): FastPath {
  if (!isUsable(parts)) return { extend: (preRouter) => preRouter, watchRoutes: () => {} };
  const gets = new Map<string | undefined, FastRoute>();
  const posts = new Map<string | undefined, FastRoute>();
  const none = new Map<string | undefined, FastRoute>();
  const routesOf = (method: string | undefined) =>
    method === 'GET' ? gets : method === 'POST' ? posts : none;

  function handle(request: IncomingMessage, response: ServerResponse): boolean {
    const route = routesOf(request.method).get(request.url);
    if (route === undefined || parts.stopping() || !route.accepts(request)) return false;
    serve(route, request as BufferedRequest, response, parts);
    return true;
  }

  return {
    extend: (preRouter) => ({
      ...preRouter,
      handlers: [...preRouter.handlers, handle],
      serverOptions: { ...preRouter.serverOptions, IncomingMessage: BufferedRequest },
    }),
    watchRoutes(app) {
      app.addHook('onRoute', ({ config }) => {
        const mounted = config?.mounted;
        if (mounted?.route.fastPath)
          routesOf(mounted.route.method).set(mounted.route.path, fastRoute(mounted));
      });
    },
  };
}

/** Answers as the router would; requests with a body together with the others of this event-loop iteration. */
function serve(
  route: FastRoute,
  request: BufferedRequest,
  response: ServerResponse,
  { stopping, refusalOf, countRefusal }: FastPathParts,
): void {
  const { context } = request;
  context.route = route.path;
  const closeIfStopping = () => {
    if (stopping()) response.shouldKeepAlive = false;
  };
  const send = (result: unknown) => {
    const encoded = route.encode(result, request);
    closeIfStopping();
    sendBatched(response, encoded);
  };
  const refuse = (error: unknown) => {
    closeIfStopping();
    const refusal = refusalOf(error, context.id);
    countRefusal(refusal, context);
    sendProblem(response, request, refusal);
  };
  const run = (body?: Buffer) => {
    try {
      const result = route.answer(context, body);
      if (result instanceof Promise) result.then(send).catch(refuse);
      else send(result);
    } catch (error) {
      refuse(error);
    }
  };
  if (route.takesBody) request.takeBody((body) => scheduleBatch(() => run(body)));
  else run();
}
