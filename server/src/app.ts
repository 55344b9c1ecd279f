import type { RefusalCode } from '@gatehouse/contract';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { classify } from './db/errors.ts';
import { nonceStore } from './db/nonce-store.ts';
import type { Feature, FeatureContext } from './feature.ts';
import { type AccountFeature, openAccount } from './features/account/module.ts';
import { startAuditRetention } from './features/audit/retention.ts';
import { auditStore } from './features/audit/store.ts';
import { openChat } from './features/chat/module.ts';
import { openCodes } from './features/codes/module.ts';
import { openForum } from './features/forum/module.ts';
import { legacyEndpoints } from './features/legacy-endpoints/routes.ts';
import { openSite, type SiteFeature } from './features/site/module.ts';
import { openWithdraw } from './features/withdraw/module.ts';
import type { OnFailpoint } from './features/withdraw/process/failpoints.ts';
import { openZones, type ZonesFeature } from './features/zones/module.ts';
import { accessLog } from './http/access-log.ts';
import { guard } from './http/authentication.ts';
import { takeBodies } from './http/bodies.ts';
import { docs } from './http/docs.ts';
import { decorateProblems, frameworkRefusal, readFailures, renderErrors } from './http/errors.ts';
import { createFastPath } from './http/fast-path/fast-path.ts';
import { addCommonHeaders } from './http/headers.ts';
import { healthRoutes } from './http/health.ts';
import { createMetrics } from './http/metrics.ts';
import { createPreRouter, type PreRouterParts, refuseMalformed, sendProblem } from './http/pre-router.ts';
import { Refusal } from './refusal.ts';
import { periodicJob } from './runtime/periodic-job.ts';
import { addressList } from './security/addresses.ts';
import { openSecurity } from './security/open.ts';

const SWEEP_MS = 10 * 60 * 1000;

/** What the process opens before the app. */
export interface AppParts
  extends Pick<FeatureContext, 'settings' | 'db' | 'log' | 'limiters' | 'mailer' | 'stopping'> {
  /** Folder of the built front end. */
  readonly pagesFolder: string;
  /** Called at each failpoint of a withdrawal, by the fault run alone. */
  readonly onFailpoint?: OnFailpoint | undefined;
  readonly isWorker: boolean;
}

export type App = Awaited<ReturnType<typeof openApp>>;

/** The one place that lists every feature, in the order in which they need each other, and serves them. */
export async function openApp(parts: AppParts) {
  const { settings, db, log, limiters } = parts;
  const metrics = createMetrics(parts);
  const nonces = nonceStore(db);
  await using opened = new AsyncDisposableStack();
  const keep = <F extends Feature>(feature: F): F => {
    opened.defer(async () => feature.close?.());
    return feature;
  };
  const sweeper = periodicJob(SWEEP_MS, nonces.sweep, (error) =>
    log.warn({ err: error }, 'old nonces could not be deleted'),
  );
  opened.defer(sweeper.close);
  const auditDays = () => settings.current.audit.retention_days;
  const auditRetention = startAuditRetention({ audit: auditStore(db), days: auditDays, log });
  opened.defer(auditRetention.close);

  const zones = keep(await openZones(parts));
  const security = openSecurity({
    auth: settings.current.auth,
    gameServers: {
      settings: settings.current.game_servers,
      zoneAddresses: zones.cache.addresses,
      useOnce: (key, lifetimeMs) => nonces.use('signature', key, lifetimeMs),
      log,
    },
    limiters,
    limits: () => settings.current.login_throttle,
    refused: (throttle) => metrics.throttled.inc({ throttle }),
  });
  const context = { ...parts, metrics, nonces, security };
  const codes = keep(openCodes(context));
  const account = keep(openAccount({ ...context, zones: zones.cache, useCode: codes.useCode }));
  const withdraw = keep(
    openWithdraw({
      ...context,
      zones: zones.cache,
      accountOf: async (playerId) => {
        const player = await account.players.findById(playerId);
        return player?.ban ? undefined : player?.account;
      },
    }),
  );
  const forum = keep(await openForum({ ...context, ...account }));
  const chat = keep(openChat(context));
  const site = keep(openSite(parts));
  const features = { zones, codes, account, withdraw, forum, chat, site };

  const http = await buildHttp({ ...context, features });
  const held = opened.move();
  return { db, log, metrics, security, features, auditRetention, http, close: () => held.disposeAsync() };
}

interface HttpParts extends AppParts, FeatureContext {
  readonly features: {
    readonly zones: ZonesFeature;
    readonly account: AccountFeature;
    readonly site: SiteFeature;
  } & Record<string, Feature>;
}

/** The layers every request passes, then every feature. */
async function buildHttp(parts: HttpParts): Promise<FastifyInstance> {
  const { settings, log, db, stopping, metrics, security, features } = parts;
  const refusalOf = readFailures({
    outageOf(error) {
      const failure = classify(error);
      if (failure === 'outcome_unknown') return 'uncertain';
      return failure === 'unavailable' || failure === 'retry' ? 'nothing changed' : undefined;
    },
    log,
  });
  const preRouter = preRouterParts(parts);
  const countRefusal = (code: RefusalCode) => metrics.refusals.inc({ code });
  const enabled = settings.current.http.fast_path;
  const fastPath = createFastPath({ enabled, log, stopping, refusalOf, countRefusal });
  const app: FastifyInstance = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // Lines name their request themselves; a logger per request would cost a twentieth of it.
    childLoggerFactory: (logger) => logger,
    serverFactory: (route) => createPreRouter(fastPath.extend(preRouter), route),
    clientErrorHandler: (error, socket) => refuseMalformed(preRouter, error, socket),
    frameworkErrors: (error, request, reply) =>
      sendProblem(reply.raw, request.raw, frameworkRefusal(error) ?? new Refusal('internal')),
    genReqId: (request) => request.context.id,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    // Queries are read by each route as its schema says, see http/text-fields.ts.
    routerOptions: { querystringParser: () => ({}) },
  });

  fastPath.watchRoutes(app);
  decorateProblems(app, countRefusal);
  addCommonHeaders(app, { stopping });
  renderErrors(app, { refusalOf, lost: features.site.pages.lost });
  guard(app, { tokens: security.tokens, confirm: features.account.confirmIdentity });
  takeBodies(app);

  healthRoutes(app, {
    checks: { database: () => db.ping() },
    warnings: { zones: () => (features.zones.cache.stale() ? 'stale' : undefined) },
    stopping,
    metrics,
    metricsReaders: settings.current.metrics.ip,
    log,
  });
  for (const feature of Object.values(features)) await feature.routes(app);
  await docs(app, settings.current.public_url);
  return app;
}

/** Requests are checked by the contract; the framework's own compilers are not even loaded. */
const noSchemas = () => () => {
  throw new Error('routes are mounted with a schema of the contract, not with one of the framework');
};

/** What logs and metrics call a request whose caller was gone before there was an answer; nginx says the same. */
const LEFT_BEFORE_ANSWER = 499;

function preRouterParts({ settings, metrics, log }: HttpParts): PreRouterParts {
  const { trust_proxy, retired, public_url } = settings.current;
  let denied = addressList(settings.current.deny_ip);
  settings.onChange((next) => {
    denied = addressList(next.deny_ip);
  });
  const writeLine = accessLog(log);
  return {
    trusted: addressList(trust_proxy),
    denied: () => denied,
    handlers: [
      legacyEndpoints({
        settings: retired,
        publicUrl: public_url,
        hit: (entry) => metrics.retired.inc({ entry }),
      }),
    ],
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
