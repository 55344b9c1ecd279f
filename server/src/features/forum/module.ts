import cookie from '@fastify/cookie';
import { routes } from '@gatehouse/contract';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../../db/open.ts';
import type { Trx } from '../../db/transaction.ts';
import type { FeatureContext } from '../../feature.ts';
import type { ForumProvider } from '../../integrations/forum-provider.ts';
import { createKeyedHash } from '../../security/keyed-hash.ts';
import { enabledProviders } from '../../settings/forum-provider.ts';
import type { AccountDeps } from '../account/deps.ts';
import { gameServerRoutes } from './game-server-routes.ts';
import { forumRoutes } from './routes.ts';
import { type BindingStore, bindingStore, type ConnectedIdentity } from './store.ts';
import { ticketStore } from './ticket-store.ts';

/** Limit per network of logins that end without an identity. */
const UNFINISHED_LOGINS = { limit: 30, window: 60 };

/** Opens the bindings of players to forum identities, which account rules use too. */
export function openBindings(db: Db) {
  const bindings = bindingStore(db);
  return {
    bindings,
    /** Binds an identity, or confirms a game server's binding. Returns false if the identity or the player is bound to another. */
    bindIdentity: async (trx: Trx, identity: ConnectedIdentity, playerId: number): Promise<boolean> =>
      (await bindings.confirm(trx, identity, playerId)) || bindings.add(identity, playerId, trx),
  };
}

interface ForumContext
  extends Pick<FeatureContext, 'settings' | 'db' | 'log' | 'metrics' | 'nonces' | 'security' | 'limiters'>,
    Pick<
      AccountDeps,
      | 'players'
      | 'createPlayer'
      | 'zones'
      | 'recordLogin'
      | 'recordEvent'
      | 'askSecondFactor'
      | 'notifyPlayer'
    > {
  readonly bindings: BindingStore;
}

export async function openForum(context: ForumContext) {
  const { settings, db, nonces, security, limiters } = context;
  const { jwt_secret } = settings.current.auth;
  const tickets = ticketStore(db);
  const signOAuthState = createKeyedHash(jwt_secret, 'forum attempt');
  const deps = {
    ...context,
    ...security,
    tickets,
    ticketHash: createKeyedHash(jwt_secret, 'forum ticket'),
    signOAuthState,
    useStateOnce: (state: string, lifetimeMs: number) => nonces.use('forum_state', state, lifetimeMs),
    callbackLimit: limiters('forum_callback', () => UNFINISHED_LOGINS),
    providers: await openProviders(context),
  };
  return {
    signOAuthState,
    async routes(app: FastifyInstance) {
      await app.register(async (scope) => {
        // Only these routes use cookies, so only they parse them.
        await scope.register(cookie);
        forumRoutes(scope, deps);
      });
      await gameServerRoutes(app, deps);
    },
    sweeps: [{ name: 'old forum tickets', deleteOldest: tickets.deleteExpired }],
  };
}

/** Loads the OAuth client only if a provider is enabled. */
async function openProviders({
  settings,
  log,
}: Pick<FeatureContext, 'settings' | 'log'>): Promise<ForumProvider[]> {
  const enabled = enabledProviders(settings.current);
  if (enabled.length === 0) return [];
  const { openForumProvider } = await import('../../integrations/forum-provider.ts');
  const callbackUrl = new URL(routes.callback.path, settings.current.public_url).href;
  return enabled.map((each) => openForumProvider({ settings: each, callbackUrl, log }));
}
