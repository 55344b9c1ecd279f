import type { FastifyInstance } from 'fastify';
import { startSweepJob } from './db/delete-in-batches.ts';
import { classify } from './db/errors.ts';
import { nonceStore } from './db/nonce-store.ts';
import type { Feature, FeatureContext } from './feature.ts';
import { type AccountFeature, openAccount } from './features/account/module.ts';
import { openAnnouncements } from './features/announcements/module.ts';
import { openAudit } from './features/audit/module.ts';
import { openChat } from './features/chat/module.ts';
import { openCodes } from './features/codes/module.ts';
import { openConsole } from './features/console/module.ts';
import { openControls } from './features/controls/module.ts';
import { openDoctor } from './features/doctor/module.ts';
import { type ForumFeature, openForum } from './features/forum/module.ts';
import { openHistory } from './features/history/module.ts';
import { legacyEndpoints } from './features/legacy-endpoints/routes.ts';
import { openLegacyTokens } from './features/legacy-tokens/module.ts';
import { openLogout } from './features/logout/module.ts';
import { openNotices } from './features/notices/module.ts';
import { type OperatorsFeature, openOperators } from './features/operators/module.ts';
import { openOwnAccount } from './features/own-account/module.ts';
import { openPromoters } from './features/promoters/module.ts';
import { requireSealKey } from './features/sealing/module.ts';
import { openSite, type SiteFeature } from './features/site/module.ts';
import { openStats, type StatsFeature } from './features/stats/module.ts';
import { openTickets } from './features/tickets/module.ts';
import { openWithdraw } from './features/withdraw/module.ts';
import type { OnFailpoint } from './features/withdraw/process/failpoints.ts';
import { openZones, type ZonesFeature } from './features/zones/module.ts';
import { docs } from './http/docs.ts';
import { healthRoutes } from './http/health.ts';
import { nameAccounts, nameAddresses } from './http/log-names.ts';
import { createMetrics } from './http/metrics.ts';
import { createHttpServer } from './http/server.ts';
import { addressList } from './security/addresses.ts';
import type { AttemptStore } from './security/attempt-store.ts';
import { createKeyedHash } from './security/keyed-hash.ts';
import { openSecurity } from './security/open.ts';
import { createProofOfWork } from './security/proof-of-work.ts';
import type { Settings } from './settings/schema.ts';

/** What the process opens before the app. */
export interface AppParts
  extends Pick<FeatureContext, 'settings' | 'db' | 'log' | 'limiters' | 'mailer' | 'stopping'> {
  /** Counts login attempts. */
  readonly attempts: AttemptStore;
  /** Folder of the built front end. */
  readonly pagesFolder: string;
  /** Folder of the built console. */
  readonly consoleFolder: string;
  /** The settings file, if the settings came from one. */
  readonly settingsFile?: string | undefined;
  /** Called at each failpoint of a withdrawal. Only the fault run sets it. */
  readonly onFailpoint?: OnFailpoint | undefined;
  readonly isWorker: boolean;
}

export type App = Awaited<ReturnType<typeof openApp>>;

/** Opens every feature in dependency order and serves them. This is the only place that lists them. */
export async function openApp(opening: AppParts) {
  const { db, log, attempts } = opening;
  const metrics = createMetrics(opening);
  const nonces = nonceStore(db);
  await using opened = new AsyncDisposableStack();
  const keep = <F extends Feature>(feature: F): F => {
    opened.defer(async () => feature.close?.());
    return feature;
  };

  const controls = keep(await openControls(opening));
  const { settings } = controls;
  const parts = { ...opening, settings };
  const zones = keep(await openZones({ ...parts, entriesToday: () => stats.entriesToday() }));
  const logout = keep(await openLogout(parts));
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
    limits: () => settings.current.login_throttle,
    wrongCodes: () => settings.current.code_throttle.wrong_block,
    refused: (throttle) => metrics.throttled.inc({ throttle }),
  });
  await requireSealKey({ db, hashes: security.hashes });
  const context = { ...parts, metrics, nonces, security };
  const requireProof = createProofOfWork({
    settings: () => settings.current.challenge,
    keys: createKeyedHash(settings.current.auth.jwt_secret, 'proof of work').all('key'),
    limiters: parts.limiters,
    useOnce: (key, lifetimeMs) => nonces.use('challenge', key, lifetimeMs),
  });
  const notices = keep(openNotices(context));
  const { notifyPlayer } = notices;
  const codes = keep(
    openCodes({
      ...context,
      requireProof,
      notifyPlayer,
      requireRegistrationOpen: () => account.requireRegistrationOpen(),
    }),
  );
  const history = keep(openHistory(context));
  const { recordLogin } = history;
  const legacyTokens = keep(openLegacyTokens(context));
  const { recordLegacy } = legacyTokens;
  const tickets = keep(
    openTickets({ ...parts, currentZone: zones.cache.currentId, isRevoked: logout.isRevoked }),
  );
  const account: AccountFeature = keep(
    openAccount({
      ...context,
      zones: zones.cache,
      useCode: codes.useCode,
      tickets: tickets.tickets,
      requireProof,
      recordLogin,
      recordLegacy,
      bindIdentity: (...binding) => forum.bindIdentity(...binding),
      bindings: {
        of: (playerId) => forum.bindings.of(playerId),
        removeAll: (trx, playerId) => forum.bindings.removeAll(trx, playerId),
      },
      notifyPlayer,
    }),
  );
  const withdraw = keep(
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
    }),
  );
  const forum: ForumFeature = keep(
    await openForum({ ...context, ...account, zones: zones.cache, recordLogin, notifyPlayer }),
  );
  const ownAccount = keep(
    openOwnAccount({
      ...context,
      ...account,
      zones: zones.cache,
      useCode: codes.useCode,
      recordLogin,
      notifyPlayer,
    }),
  );
  const chat = keep(openChat(context));
  const site = keep(openSite(parts));
  const announcements = keep(await openAnnouncements(parts));
  const audit = keep(openAudit({ ...context, base: opening.settings }));
  const operators = keep(openOperators({ ...context, requireProof }));
  const operatorPages = keep(openConsole(parts));
  const doctor = keep(openDoctor({ ...parts, base: opening.settings, settingsFile: opening.settingsFile }));
  const stats: StatsFeature = keep(openStats({ ...context, zonesDown: zones.down }));
  const promoters = keep(openPromoters({ db, figuresOfPromoter: stats.figuresOfPromoter }));
  const features = {
    controls,
    zones,
    logout,
    notices,
    codes,
    history,
    legacyTokens,
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
    doctor,
  };

  const sweeps = Object.values<Feature>(features).flatMap((feature) => feature.sweeps ?? []);
  const nonceSweep = { name: 'old nonces', deleteOldest: nonces.deleteExpired };
  opened.defer(startSweepJob(db, [nonceSweep, ...sweeps], log).close);
  const http = await serve({ ...context, features });
  const held = opened.move();
  return { db, log, metrics, security, features, http, close: () => held.disposeAsync() };
}

interface ServedParts extends AppParts, FeatureContext {
  readonly features: {
    readonly zones: ZonesFeature;
    readonly account: AccountFeature;
    readonly site: SiteFeature;
    readonly operators: OperatorsFeature;
  } & Record<string, Feature>;
}

/** Serves the routes of all features behind the layers that every request passes. */
async function serve(parts: ServedParts): Promise<FastifyInstance> {
  const { settings, log, db, stopping, metrics, security, features } = parts;
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
        hit: (entry) => metrics.retired.inc({ entry }),
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
        // Query as a login does: the server may answer although the tables are gone. No account has this name.
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
  docs(app, public_url);
  return app;
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
