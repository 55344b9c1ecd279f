import { performance } from 'node:perf_hooks';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Logger } from 'pino';
import { Refusal } from '../refusal.ts';
import type { AddressList } from '../security/addresses.ts';
import { accessLog, type LogNames } from './access-log.ts';
import { type AuthenticationDeps, guard, playerIdentifier, restrictConsole } from './authentication.ts';
import { addBodyParsers } from './bodies.ts';
import {
  createErrorMapper,
  decorateProblems,
  type FailureDeps,
  frameworkRefusal,
  type RenderDeps,
  renderErrors,
} from './errors.ts';
import { createFastPath } from './fast-path/fast-path.ts';
import { addCommonHeaders } from './headers.ts';
import type { Metrics } from './metrics.ts';
import { createPreRouter, type PreRouterDeps, type PreRouterHandler, refuseMalformed } from './pre-router.ts';
import { sendProblem } from './problem.ts';
import type { RequestContext } from './request-context.ts';

export interface HttpServerDeps {
  readonly trusted: AddressList;
  readonly denied: () => AddressList;
  /** Tried before the router, in this order. */
  readonly handlers: readonly PreRouterHandler[];
  readonly fastPath: boolean;
  readonly connectionsPerAddress: number;
  readonly authentication: AuthenticationDeps;
  /** Whether an address may reach the console and the operators' API. */
  readonly consoleAllows: (address: string) => boolean;
  readonly outageOf: FailureDeps['outageOf'];
  readonly notFoundPage: RenderDeps['notFoundPage'];
  readonly metrics: Metrics;
  readonly stopping: () => boolean;
  readonly log: Logger;
  readonly logNames: LogNames;
}

/** Creates the server with the layers that every request passes. Routes are mounted on the returned instance. */
export function createHttpServer(deps: HttpServerDeps): FastifyInstance {
  const { authentication, outageOf, notFoundPage, metrics, stopping, log } = deps;
  const refusalOf = createErrorMapper({ outageOf, log });
  const countRefusal = ({ code, details }: Refusal, context: RequestContext) => {
    metrics.refusals.inc({ code });
    context.refused = { code, throttle: details.throttle };
  };
  const preRouter = preRouterParts(deps);
  const identifyPlayer = playerIdentifier(authentication);
  const fastPath = createFastPath({
    enabled: deps.fastPath,
    log,
    stopping,
    identifyPlayer,
    refusalOf,
    countRefusal,
  });
  const app: FastifyInstance = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // Lines carry the request id themselves; a logger per request would cost a twentieth of it.
    childLoggerFactory: (logger) => logger,
    serverFactory: (route) => createPreRouter(fastPath.extend(preRouter), route),
    clientErrorHandler: (error, socket) => refuseMalformed(preRouter, error, socket),
    frameworkErrors: (error, request, reply) =>
      sendProblem(reply.raw, request.raw, frameworkRefusal(error) ?? new Refusal('internal')),
    genReqId: (request) => request.context.id,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    // Each route parses its query by its schema, see text-fields.ts.
    routerOptions: { querystringParser: () => ({}) },
  });
  fastPath.watchRoutes(app);
  decorateProblems(app, countRefusal);
  addCommonHeaders(app, { stopping });
  restrictConsole(app, deps.consoleAllows);
  renderErrors(app, { refusalOf, notFoundPage });
  guard(app, identifyPlayer, authentication.operators);
  addBodyParsers(app);
  return app;
}

/** Keeps Fastify's schema compilers from loading; the contract validates requests. */
const noSchemas = () => () => {
  throw new Error('routes must use a schema of the contract, not one of the framework');
};

/** Logged and counted as the status if the client disconnects before the response, as in nginx. */
const CLIENT_CLOSED_REQUEST = 499;

function preRouterParts(deps: HttpServerDeps): PreRouterDeps {
  const { trusted, denied, handlers, connectionsPerAddress, metrics, log, logNames } = deps;
  const writeLine = accessLog(log, logNames);
  return {
    trusted,
    denied,
    handlers,
    connectionsPerAddress,
    closeConnection: (socket) => void socket.destroy(),
    observe: {
      finished(request, response) {
        const ms = performance.now() - request.context.startedAt;
        const status = response.headersSent ? response.statusCode : CLIENT_CLOSED_REQUEST;
        metrics.observeRequest(request.context.route ?? 'none', request.method ?? '', status, ms);
        writeLine(request, { status, ms, aborted: !response.writableFinished });
      },
      malformed({ address, reason, requestId }) {
        metrics.malformed.inc({ reason });
        const named = logNames.nameAddress(address);
        log.warn({ address: named, reason, request_id: requestId }, 'malformed request');
      },
    },
  };
}
