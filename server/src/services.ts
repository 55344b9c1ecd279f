import { routes } from '@gatehouse/contract';
import type { Logger } from 'pino';
import { groupWriter } from './db/group-writer.ts';
import { nonceStore } from './db/nonce-store.ts';
import type { Db } from './db/open.ts';
import { createPlayer } from './features/account/create-player.ts';
import { accountStore } from './features/account/store.ts';
import { startRetention } from './features/chat/retention.ts';
import { chatStore } from './features/chat/store.ts';
import { codeStore } from './features/codes/store.ts';
import { useCode } from './features/codes/use-code.ts';
import { bindingStore } from './features/forum/store.ts';
import { ticketStore } from './features/forum/ticket-store.ts';
import { openAgreement } from './features/site/agreement.ts';
import { publicConfig } from './features/site/public-config.ts';
import { openWithdrawals } from './features/withdraw/open.ts';
import type { OnFailpoint } from './features/withdraw/process/failpoints.ts';
import { zoneStore } from './features/zones/store.ts';
import { openZoneCache } from './features/zones/zone-cache.ts';
import { createMetrics } from './http/metrics.ts';
import type { ForumProvider } from './integrations/forum-provider.ts';
import type { Mailer } from './integrations/mailer.ts';
import { startZoneProbe } from './integrations/zone-probe.ts';
import { createGameServerAuth } from './security/game-server-auth.ts';
import { createKeyedHash } from './security/keyed-hash.ts';
import { createLoginThrottle } from './security/login-throttle.ts';
import { createPasswords } from './security/passwords.ts';
import type { LimiterFactory } from './security/throttle.ts';
import { createTokens } from './security/tokens.ts';
import type { LiveSettings } from './settings/live.ts';
import { enabledProviders } from './settings/providers.ts';

/** What the service is made of; the process opens them. */
export interface Parts {
  readonly settings: LiveSettings;
  readonly db: Db;
  readonly log: Logger;
  readonly limiters: LimiterFactory;
  readonly mailer: Mailer;
  /** Folder of the built front end. */
  readonly pagesFolder: string;
  readonly stopping: () => boolean;
  /** Called at each step of a withdrawal, by the fault run alone. */
  readonly onFailpoint?: OnFailpoint | undefined;
  readonly isWorker: boolean;
}

const CHAT_LINES_AT_ONCE = 1000;
const SWEEP_MS = 10 * 60 * 1000;
const KEPT_CODES_MS = 24 * 3600 * 1000;

export type Services = Awaited<ReturnType<typeof openServices>>;

/** Makes of the parts everything that the features are given, by name. */
export async function openServices(parts: Parts) {
  const { settings, db, log, limiters } = parts;
  const { auth, game_servers, site, zones: zoneSettings } = settings.current;
  const metrics = createMetrics(parts);
  const refused = (throttle: string) => metrics.throttled.inc({ throttle });

  const probe = startZoneProbe({ interval: zoneSettings.probe_interval });
  const zones = await openZoneCache({ store: zoneStore(db), probe: probe.last, log });
  probe.watch(zones.all);

  const nonces = nonceStore(db);
  const gameServerAuth = createGameServerAuth({
    settings: game_servers,
    zoneAddresses: zones.addresses,
    useOnce: (key, lifetimeMs) => nonces.use('signature', key, lifetimeMs),
    log,
  });
  const throttle = createLoginThrottle({
    limiters,
    limits: () => settings.current.login_throttle,
    isVouchedFor: gameServerAuth.isVouchedFor,
    refused,
  });

  const players = accountStore(db);
  const withdrawals = openWithdrawals({
    ...parts,
    zones,
    metrics,
    accountOf: async (playerId) => {
      const player = await players.findById(playerId);
      return player?.ban ? undefined : player?.account;
    },
    useOnce: nonces.use,
  });
  const codes = codeStore(db);
  const codeHash = createKeyedHash(auth.jwt_secret, 'verification code');
  const chat = chatStore(db);
  const writer = groupWriter(CHAT_LINES_AT_ONCE, chat.keep);
  const retention = startRetention({ chat, days: () => settings.current.chat.retention_days, log });
  const tickets = ticketStore(db);
  const agreement = openAgreement(site.agreement, log);
  const sweeper = setInterval(() => {
    Promise.all([nonces.sweep(), codes.sweep(KEPT_CODES_MS), tickets.sweep()]).catch((error) =>
      log.warn({ err: error }, 'sweeping failed'),
    );
  }, SWEEP_MS).unref();

  return {
    ...parts,
    metrics,
    zones,
    gameServerAuth,
    throttle,
    players,
    withdrawals,
    codes,
    codeHash,
    useCode: useCode({ codes, hash: codeHash, throttle }),
    codeThrottle: {
      email: limiters('code_email', () => settings.current.code_throttle.email),
      address: limiters('code_address', () => settings.current.code_throttle.address),
      limits: () => settings.current.code_throttle,
      refused,
    },
    createPlayer: createPlayer({ players, settings }),
    passwords: createPasswords(auth.password_key),
    tokens: createTokens(auth.jwt_secret),
    providers: await openProviders(parts),
    bindings: bindingStore(db),
    tickets,
    ticketHash: createKeyedHash(auth.jwt_secret, 'forum ticket'),
    signOAuthState: createKeyedHash(auth.jwt_secret, 'forum attempt'),
    useStateOnce: (state: string, lifetimeMs: number) => nonces.use('forum_state', state, lifetimeMs),
    chatWriter: writer,
    chatRetention: retention,
    chatLimiter: limiters('chat', () => ({ limit: settings.current.chat.limit, window: 60 })),
    agreement,
    publicConfig: publicConfig(settings),
    async close(): Promise<void> {
      clearInterval(sweeper);
      await withdrawals.close();
      retention.close();
      agreement.close();
      await zones.close();
      await probe.close();
      await writer.drain();
    },
  };
}

/** What speaks with forums is loaded only where there is one. */
async function openProviders({ settings, log }: Parts): Promise<ForumProvider[]> {
  const enabled = enabledProviders(settings.current);
  if (enabled.length === 0) return [];
  const { openForumProvider } = await import('./integrations/forum-provider.ts');
  const callbackUrl = new URL(routes.callback.path, settings.current.public_url).href;
  return enabled.map((each) => openForumProvider({ settings: each, callbackUrl, log }));
}
