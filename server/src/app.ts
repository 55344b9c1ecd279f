import type { FastifyInstance } from 'fastify';
import { startSweepJob } from './db/delete-in-batches.ts';
import { classify } from './db/errors.ts';
import { nonceStore } from './db/nonce-store.ts';
import type { Db } from './db/open.ts';
import type { Feature, FeatureContext } from './feature.ts';
import { type AccountFeature, openAccount, openRegistrationCap } from './features/account/module.ts';
import { openAnnouncements } from './features/announcements/module.ts';
import { openAudit } from './features/audit/module.ts';
import { openChat } from './features/chat/module.ts';
import { openCodes } from './features/codes/module.ts';
import { openConsole } from './features/console/module.ts';
import { openControls } from './features/controls/module.ts';
import { type DoctorFeature, openDoctor } from './features/doctor/module.ts';
import { openBindings, openForum } from './features/forum/module.ts';
import { openHistory } from './features/history/module.ts';
import { legacyEndpoints } from './features/legacy-endpoints/routes.ts';
import { openLegacyTokens } from './features/legacy-tokens/module.ts';
import { openLogout } from './features/logout/module.ts';
import { openNotices } from './features/notices/module.ts';
import { type OperatorsFeature, openOperators } from './features/operators/module.ts';
import { openOwnAccount } from './features/own-account/module.ts';
import { openPromoters } from './features/promoters/module.ts';
import { checkSealedSecrets, requireSealKey } from './features/sealing/module.ts';
import { openSite, type SiteFeature } from './features/site/module.ts';
import { openEntriesToday, openStats } from './features/stats/module.ts';
import { openTakeover, type TakeoverFeature } from './features/takeover/module.ts';
import { openTickets } from './features/tickets/module.ts';
import { openTwoFactor } from './features/two-factor/module.ts';
import type { OnDeliveryFailpoint } from './features/webhooks/deliver.ts';
import { openWebhooks, type WebhooksFeature } from './features/webhooks/module.ts';
import { openWithdraw } from './features/withdraw/module.ts';
import type { OnFailpoint } from './features/withdraw/process/failpoints.ts';
import { openZones, type ZonesFeature } from './features/zones/module.ts';
import { nameAccounts, nameAddresses } from './http/access-log.ts';
import { docs } from './http/docs/routes.ts';
import { healthRoutes } from './http/health.ts';
import { createMetrics, type Metrics } from './http/metrics.ts';
import { createHttpServer } from './http/server.ts';
import { addressList } from './security/addresses.ts';
import type { AttemptStore } from './security/attempt-store.ts';
import { createKeyedHash } from './security/keyed-hash.ts';
import { openSecurity } from './security/open.ts';
import { createProofOfWork } from './security/proof-of-work.ts';
import type { Settings } from './settings/schema.ts';

/** What the process opens before the app. */
export interface AppDeps
  extends Pick<FeatureContext, 'settings' | 'db' | 'log' | 'limiters' | 'mailer' | 'stopping'> {
  /** Counts login attempts. */
  readonly attempts: AttemptStore;
  /** How long a login waits for others under way. Only tests set it. */
  readonly attemptPatienceMs?: number | undefined;
  /** Folder of the built front end. */
  readonly pagesFolder: string;
  readonly consoleFolder: string;
  /** The settings file, if the settings came from one. */
  readonly settingsFile?: string | undefined;
  /** Called at each failpoint of a withdrawal. Only the fault run sets it. */
  readonly onFailpoint?: OnFailpoint | undefined;
  /** The same for a webhook's delivery. */
  readonly onDeliveryFailpoint?: OnDeliveryFailpoint | undefined;
  readonly isWorker: boolean;
  /** Undefined if Redis is not used. */
  readonly isRedisUp: (() => boolean) | undefined;
}

export type App = Awaited<ReturnType<typeof openApp>>;

/** Opens every feature in dependency order and serves them. This is the only place that lists them. */
export async function openApp(opening: AppDeps) {
  const { db, log, attempts, attemptPatienceMs } = opening;
  const metrics = createMetrics(opening);
  const nonces = nonceStore(db);
  await using resources = new AsyncDisposableStack();
  const closing = <F extends Feature>(feature: F): F => {
    resources.defer(async () => feature.close?.());
    return feature;
  };

  const controls = closing(await openControls(opening));
  const { settings } = controls;
  const announcements = closing(await openAnnouncements({ ...opening, settings }));
  const site = closing(await openSite({ ...opening, settings, news: announcements.news }));
  const live = { ...opening, settings, mailer: opening.mailer.branded(site.mailBrand, metrics.countMail) };
  const zones = closing(
    await openZones({
      ...live,
      entriesToday: openEntriesToday(live),
      enqueue: (...event) => webhooks.enqueue(...event),
    }),
  );
  metrics.watchZones(zones.watched);
  metrics.watchQueue('mail', opening.mailer.waiting);
  watchDatabase(metrics, db);
  const logout = closing(await openLogout(live));
  const security = openSecurity({
    auth: settings.current.auth,
    isRevoked: logout.isRevoked,
    gameServers: {
      settings: settings.current.game_servers,
      zoneAddresses: zones.cache.addresses,
      zoneKeys: async () =>
        (await zones.keys()).map(({ serverId, key }) => ({
          zones: new Set(zones.cache.mergedWith(serverId)),
          key,
        })),
      useOnce: (key, lifetimeMs) => nonces.use('signature', key, lifetimeMs),
      log,
    },
    attempts,
    attemptPatienceMs,
    limits: () => settings.current.login_throttle,
    wrongCodes: () => settings.current.code_throttle.wrong_block,
    refused: (throttle) => metrics.throttled.inc({ throttle }),
  });
  await requireSealKey({ db, hashes: security.hashes });
  closing(checkSealedSecrets(live));
  const context = { ...live, metrics, nonces, security };
  const requireProof = createProofOfWork({
    settings: () => settings.current.challenge,
    keys: createKeyedHash(settings.current.auth.jwt_secret, 'proof of work').all('key'),
    limiters: live.limiters,
    useOnce: (key, lifetimeMs) => nonces.use('challenge', key, lifetimeMs),
  });
  const webhooks: WebhooksFeature = closing(
    await openWebhooks({
      ...context,
      zones: zones.watched,
      failing: () => doctor.failing(),
    }),
  );
  const { enqueue } = webhooks;
  const notices = closing(openNotices(context));
  const { notifyPlayer } = notices;
  const registrationCap = openRegistrationCap(live);
  const codes = closing(
    openCodes({
      ...context,
      requireProof,
      notifyPlayer,
      requireRegistrationOpen: registrationCap.requireRegistrationOpen,
    }),
  );
  const history = closing(openHistory(context));
  const { recordLogin, loginsRecorded, recordEvent, loginsOf } = history;
  const legacyTokens = closing(openLegacyTokens(context));
  const { recordLegacy } = legacyTokens;
  const takeover = closing(openTakeover(context));
  const tickets = closing(
    openTickets({ ...live, currentZone: zones.cache.currentId, isRevoked: logout.isRevoked }),
  );
  const twoFactor = openTwoFactor({ db, settings: settings.current });
  const bindings = openBindings(db);
  const account = closing(
    openAccount({
      ...context,
      zones: zones.cache,
      useCode: codes.useCode,
      tickets: tickets.tickets,
      requireProof,
      recordLogin,
      recordEvent,
      recordLegacy,
      loginsOf,
      loginsRecorded,
      notifyPlayer,
      enqueue,
      twoFactor,
      ...registrationCap,
      ...bindings,
    }),
  );
  const withdraw = closing(
    openWithdraw({
      ...context,
      zones: zones.cache,
      accountOf: async (playerId) => {
        const player = await account.players.findById(playerId);
        return player?.ban ? undefined : player?.account;
      },
      heldUntil: account.players.heldUntil,
      judgeCode: account.judgeCode,
      notifyPlayer,
      enqueue,
    }),
  );
  const forum = closing(
    await openForum({
      ...context,
      ...account,
      ...bindings,
      zones: zones.cache,
      recordLogin,
      recordEvent,
      notifyPlayer,
    }),
  );
  const ownAccount = closing(
    openOwnAccount({
      ...context,
      ...account,
      ...bindings,
      twoFactor,
      loginsOf,
      loginsRecorded,
      zones: zones.cache,
      useCode: codes.useCode,
      recordLogin,
      recordEvent,
      notifyPlayer,
      enqueue,
    }),
  );
  const chat = closing(openChat(context));
  const audit = closing(openAudit({ ...context, base: opening.settings }));
  const operators = closing(openOperators({ ...context, twoFactor, requireProof }));
  const operatorPages = closing(openConsole(live));
  const doctor: DoctorFeature = closing(
    openDoctor({ ...live, base: opening.settings, settingsFile: opening.settingsFile }),
  );
  const stats = closing(openStats({ ...context, zonesDown: zones.down, databaseTime: zones.cache.now }));
  const promoters = closing(openPromoters({ db, figuresOfPromoter: stats.figuresOfPromoter }));
  const features = {
    controls,
    zones,
    logout,
    notices,
    codes,
    history,
    legacyTokens,
    takeover,
    tickets,
    account,
    ownAccount,
    withdraw,
    forum,
    chat,
    site,
    announcements,
    audit,
    operators,
    operatorPages,
    stats,
    promoters,
    webhooks,
    doctor,
  };

  const sweeps = Object.values<Feature>(features).flatMap((feature) => feature.sweeps ?? []);
  const nonceSweep = { name: 'old nonces', deleteOldest: nonces.deleteExpired };
  const sweep = { log, succeeded: metrics.job('sweep') };
  resources.defer(startSweepJob(db, [nonceSweep, ...sweeps], sweep).close);
  const http = await serve({ ...context, features });
  const openResources = resources.move();
  return { db, log, metrics, security, features, http, close: () => openResources.disposeAsync() };
}

interface ServedApp extends AppDeps, FeatureContext {
  readonly features: {
    readonly zones: ZonesFeature;
    readonly account: AccountFeature;
    readonly site: SiteFeature;
    readonly operators: OperatorsFeature;
    readonly takeover: TakeoverFeature;
  } & Record<string, Feature>;
}

/** Serves the routes of all features behind the layers that every request passes. */
async function serve(served: ServedApp): Promise<FastifyInstance> {
  const { settings, log, db, stopping, metrics, security, features } = served;
  const { trust_proxy, retired, public_url, http, metrics: metricsSettings } = settings.current;
  let denied = addressList(settings.current.deny_ip);
  settings.onChange((next) => {
    denied = addressList(next.deny_ip);
  });
  const consoleAllows = consoleAccess(settings.current.console);
  const app = createHttpServer({
    consoleAllows,
    trusted: addressList(trust_proxy),
    denied: () => denied,
    handlers: [
      legacyEndpoints({
        settings: retired,
        publicUrl: public_url,
        hit(entry) {
          metrics.retired.inc({ entry });
          features.takeover.hitRetired(entry);
        },
      }),
    ],
    fastPath: http.fast_path,
    connectionsPerAddress: http.connections_per_address,
    authentication: {
      tokens: security.tokens,
      confirm: features.account.confirmIdentity,
      operators: {
        authenticate: features.operators.authenticate,
        publicUrl: public_url,
        requireTotp: () => settings.current.console.require_totp,
      },
    },
    outageOf: outageKind,
    notFoundPage: features.site.pages.notFoundPage,
    metrics,
    stopping,
    log,
    logNames: {
      nameAccount: nameAccounts(settings.current.log.accounts, settings.current.auth.jwt_secret),
      nameAddress: nameAddresses(settings.current.log.addresses),
    },
  });
  healthRoutes(app, {
    checks: {
      async database() {
        await db.ping();
        await db.checkWrites();
        // Query a table as a login does: the server may answer even if the tables are gone. No account has this name.
        await features.account.players.findByAccount('');
      },
    },
    warnings: { zones: () => (features.zones.cache.stale() ? 'stale' : undefined) },
    stopping,
    metrics,
    metricsReaders: metricsSettings.ip,
    log,
  });
  for (const feature of Object.values(features)) await feature.routes?.(app);
  docs(app, public_url, features.site.current);
  return app;
}

function watchDatabase({ watchQueue, sumAtScrape }: Metrics, { load }: Db): void {
  watchQueue('database', () => load().waiting);
  const { connections } = load();
  if (connections)
    sumAtScrape('database_connections', 'Connections to the database by state', 'state', () => ({
      ...load().connections,
    }));
}

function consoleAccess({ enabled, ip }: Settings['console']): (address: string) => boolean {
  const allowed = addressList(ip);
  return (address) => enabled && (ip.length === 0 || allowed.has(address));
}

function outageKind(error: unknown): 'nothing changed' | 'uncertain' | undefined {
  const failure = classify(error);
  if (failure === 'outcome_unknown') return 'uncertain';
  return failure === 'unavailable' || failure === 'retry' ? 'nothing changed' : undefined;
}
