import cookie from '@fastify/cookie';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { classify } from './db/errors.ts';
import { confirmIdentity } from './features/account/confirm-identity.ts';
import { accountRoutes } from './features/account/routes.ts';
import { chatRoutes } from './features/chat/routes.ts';
import { gameServerRoutes } from './features/forum/game-server-routes.ts';
import { forumRoutes } from './features/forum/routes.ts';
import { legacyEndpoints } from './features/legacy-endpoints/routes.ts';
import { openPages } from './features/site/pages.ts';
import { siteRoutes } from './features/site/routes.ts';
import { withdrawRoutes } from './features/withdraw/routes.ts';
import { zoneRoutes } from './features/zones/routes.ts';
import { accessLog } from './http/access-log.ts';
import { guard } from './http/authentication.ts';
import { takeBodies } from './http/bodies.ts';
import { docs } from './http/docs.ts';
import {
  decorateProblems,
  frameworkRefusal,
  type RefusalOf,
  readFailures,
  renderErrors,
} from './http/errors.ts';
import type { CachedJsonRoutes } from './http/fast-path/cached-json.ts';
import type { FastPathRoutes } from './http/fast-path/mount-fast-path.ts';
import { commonHeaders } from './http/headers.ts';
import { healthRoutes } from './http/health.ts';
import { createPreRouter, type PreRouterParts, refuseMalformed, sendProblem } from './http/pre-router.ts';
import { Refusal } from './refusal.ts';
import { addressList } from './security/addresses.ts';
import type { Services } from './services.ts';

/** The one place that knows everything: the layers every request passes, then every feature, in order. */
export async function buildApp(services: Services): Promise<FastifyInstance> {
  const { settings, log, db, zones, stopping } = services;
  const cachedJsonRoutes: CachedJsonRoutes = new Map();
  const fastPathRoutes: FastPathRoutes = new Map();
  const refusalOf = readFailures({
    outageOf(error) {
      const failure = classify(error);
      if (failure === 'outcome_unknown') return 'uncertain';
      return failure === 'unavailable' || failure === 'retry' ? 'nothing changed' : undefined;
    },
    log,
  });
  const gate = preRouterParts(services, { ready: cachedJsonRoutes, direct: fastPathRoutes, refusalOf });
  const app: FastifyInstance = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // Lines name their request themselves; a logger per request would cost a twentieth of it.
    childLoggerFactory: (logger) => logger,
    serverFactory: (route) => createPreRouter(gate, route),
    clientErrorHandler: (error, socket) => refuseMalformed(gate, error, socket),
    frameworkErrors: (error, request, reply) =>
      sendProblem(reply.raw, request.raw, frameworkRefusal(error) ?? new Refusal('internal')),
    genReqId: (request) => request.context.id,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    // Queries are read by each route as its schema says, see http/text-fields.ts.
    routerOptions: { querystringParser: () => ({}) },
  });

  app.decorate('cachedJsonRoutes', cachedJsonRoutes);
  app.decorate('fastPathRoutes', fastPathRoutes);
  decorateProblems(app, (code) => services.metrics.refusals.inc({ code }));
  commonHeaders(app, { stopping });
  const pages = openPages({
    folder: services.pagesFolder,
    clientOrigin: new URL(settings.current.client.url, settings.current.public_url).origin,
  });
  renderErrors(app, { refusalOf, lost: pages.lost });
  guard(app, { tokens: services.tokens, confirm: confirmIdentity(services.players) });
  takeBodies(app);

  healthRoutes(app, {
    checks: { database: () => db.ping() },
    warnings: { zones: () => (zones.stale() ? 'stale' : undefined) },
    stopping,
    metrics: services.metrics,
    metricsReaders: settings.current.metrics.ip,
    log,
  });
  accountRoutes(app, { ...services, hash: services.codeHash, codeThrottle: services.codeThrottle });
  zoneRoutes(app, services);
  withdrawRoutes(app, services.withdrawals);
  chatRoutes(app, {
    settings,
    writer: services.chatWriter,
    limiter: services.chatLimiter,
    isGameServer: services.gameServerAuth.isGameServer,
  });
  await app.register(async (forum) => {
    // Nobody else has cookies, and so nobody else is slowed down by them.
    await forum.register(cookie);
    forumRoutes(forum, services);
  });
  await gameServerRoutes(app, services);
  siteRoutes(app, services);
  await docs(app, settings.current.public_url);
  await pages.mount(app);
  // The gate looks at what it serves itself first; what an operator has retired stays retired all the same.
  for (const path of Object.values(settings.current.retired).flat()) {
    cachedJsonRoutes.delete(path);
    fastPathRoutes.delete(path);
  }
  return app;
}

/** Requests are checked by the contract; the framework's own compilers are not even loaded. */
const noSchemas = () => () => {
  throw new Error('routes are mounted with a schema of the contract, not with one of the framework');
};

/** What logs and metrics call a request whose caller was gone before there was an answer; nginx says the same. */
const LEFT_BEFORE_ANSWER = 499;

interface FastPathTables {
  readonly ready: CachedJsonRoutes;
  readonly direct: FastPathRoutes;
  readonly refusalOf: RefusalOf;
}

function preRouterParts(
  { settings, metrics, log, stopping }: Services,
  { ready, direct, refusalOf }: FastPathTables,
): PreRouterParts {
  const { trust_proxy, retired, public_url } = settings.current;
  let denied = addressList(settings.current.deny_ip);
  settings.onChange((next) => {
    denied = addressList(next.deny_ip);
  });
  const writeLine = accessLog(log);
  return {
    trusted: addressList(trust_proxy),
    denied: () => denied,
    retired: legacyEndpoints({
      settings: retired,
      publicUrl: public_url,
      hit: (entry) => metrics.retired.inc({ entry }),
    }),
    ready,
    direct,
    fail(error, request, response) {
      const refusal = refusalOf(error, request.context.id);
      metrics.refusals.inc({ code: refusal.code });
      sendProblem(response, request, refusal);
    },
    stopping,
    observe: {
      finished(request, response) {
        const ms = performance.now() - request.context.startedAt;
        const status = response.headersSent ? response.statusCode : LEFT_BEFORE_ANSWER;
        metrics.observeRequest(request.context.route ?? 'none', request.method ?? '', status, ms);
        writeLine(request, { status, ms, aborted: !response.writableFinished });
      },
      malformed({ address, reason, requestId }) {
        metrics.malformed.inc({ reason });
        log.warn({ address, reason, request_id: requestId }, 'malformed request');
      },
    },
  };
}
