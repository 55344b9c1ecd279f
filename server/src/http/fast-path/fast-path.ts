import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Log } from '../../logging/log.ts';
import type { Refusal } from '../../refusal.ts';
import { scheduleBatch } from '../../runtime/batch-scheduler.ts';
import type { IdentifyPlayer } from '../authentication.ts';
import type { RefusalOf } from '../errors.ts';
import { settleInTime } from '../mount.ts';
import type { PreRouterDeps } from '../pre-router.ts';
import { sendProblem } from '../problem.ts';
import type { RequestContext } from '../request-context.ts';
import { BufferedRequest } from './buffered-request.ts';
import { type FastRoute, fastRoute } from './fast-route.ts';
import { cutConnection, sendBatched } from './raw-response.ts';

/** The Node version whose undocumented fields the fast path relies on; package.json pins the same. */
export const SUPPORTED_NODE = '26.10.0';

interface FastPathDeps {
  /** The setting `http.fast_path`. */
  readonly enabled: boolean;
  readonly nodeVersion?: string;
  readonly log: Pick<Log, 'warn'>;
  readonly stopping: () => boolean;
  readonly identifyPlayer: IdentifyPlayer;
  readonly refusalOf: RefusalOf;
  readonly countRefusal: (refusal: Refusal, context: RequestContext) => void;
}

interface Exchange {
  readonly route: FastRoute;
  readonly request: BufferedRequest;
  readonly response: ServerResponse;
}

export interface FastPath {
  /** Returns the pre-router's dependencies with the fast path as the last handler. */
  extend(deps: PreRouterDeps): PreRouterDeps;
  /** Serves every route mounted from now on that declares `fastPath`. */
  watchRoutes(app: FastifyInstance): void;
}

/** Serves plain requests for the busiest routes without the router; see docs/decisions/0009-fast-path.md. */
export function createFastPath(deps: FastPathDeps): FastPath {
  if (!isUsable(deps)) return { extend: (preRouter) => preRouter, watchRoutes: () => {} };
  // A linear search: for so few routes it is cheaper than a map, for which V8 would intern each request's URL.
  const routes: FastRoute[] = [];

  function handle(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, url } = request;
    const route = routes.find((each) => each.path === url && each.method === method);
    if (route === undefined || deps.stopping() || !route.accepts(request)) return false;
    serve({ route, request: request as BufferedRequest, response }, deps);
    return true;
  }

  return {
    extend: (preRouter) => ({
      ...preRouter,
      handlers: [...preRouter.handlers, handle],
      closeConnection: cutConnection,
      serverOptions: { ...preRouter.serverOptions, IncomingMessage: BufferedRequest },
    }),
    watchRoutes(app) {
      app.addHook('onRoute', ({ method, config }) => {
        const mounted = config?.mounted;
        // Fastify registers each GET as HEAD too.
        if (mounted?.route.fastPath && method === mounted.route.method)
          routes.push(fastRoute(mounted, deps.identifyPlayer));
      });
    },
  };
}

/** Answers as the router would. Requests with a body are batched with the others of this event-loop iteration. */
function serve(exchange: Exchange, deps: FastPathDeps): void {
  const { route, request } = exchange;
  request.context.route = route.path;
  if (route.takesBody) request.takeBody((body) => scheduleBatch(() => run(exchange, deps, body)));
  else run(exchange, deps);
}

function run(exchange: Exchange, deps: FastPathDeps, body?: Buffer): void {
  const { route, request } = exchange;
  const failed = (error: unknown) => refuse(exchange, deps, error);
  const done = (result: unknown) => {
    try {
      send(exchange, deps, result);
    } catch (error) {
      failed(error);
    }
  };
  try {
    const result = route.answer(request, body);
    if (result instanceof Promise) settleInTime(result, done, failed);
    else done(result);
  } catch (error) {
    failed(error);
  }
}

function send({ route, request, response }: Exchange, { stopping }: FastPathDeps, result: unknown): void {
  const encoded = route.encode(result, request);
  if (stopping()) response.shouldKeepAlive = false;
  sendBatched(response, encoded);
}

function refuse({ request, response }: Exchange, deps: FastPathDeps, error: unknown): void {
  if (deps.stopping()) response.shouldKeepAlive = false;
  const refusal = deps.refusalOf(error, request.context.id);
  deps.countRefusal(refusal, request.context);
  sendProblem(response, request, refusal);
}

/** Reports whether the fast path is enabled and this is the Node version it supports. */
function isUsable({ enabled, nodeVersion = process.versions.node, log }: FastPathDeps): boolean {
  if (!enabled || nodeVersion === SUPPORTED_NODE) return enabled;
  log.warn(
    { node: nodeVersion, supported: SUPPORTED_NODE },
    'the fast path is off on this version of Node; requests take longer',
  );
  return false;
}
