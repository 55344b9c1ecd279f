import type { FastifyInstance } from 'fastify';
import type { FeatureContext } from '../../feature.ts';
import { onRelayed, relayToOthers } from '../../runtime/worker-ipc.ts';
import { openRevokedTokens } from './revoked-tokens.ts';
import { logoutRoutes } from './routes.ts';
import { type RevokedToken, revocationStore } from './store.ts';

/** The message between the processes of an instance. */
const REVOKED_TOKENS = 'revoked tokens';
/** More than any player needs; a higher number is an attempt to fill the table. */
const LOGOUTS = { limit: 60, window: 60 };

interface LogoutContext extends Pick<FeatureContext, 'db' | 'log' | 'limiters'> {
  readonly isWorker: boolean;
}

export async function openLogout({ db, log, limiters, isWorker }: LogoutContext) {
  const store = revocationStore(db);
  const revoked = await openRevokedTokens({ store, log });
  const limiter = limiters('logout', () => LOGOUTS);
  if (isWorker) onRelayed(REVOKED_TOKENS, revoked.add);
  const tellOthers = isWorker
    ? relayToOthers<Omit<RevokedToken, 'revokedAt'>>(REVOKED_TOKENS)
    : async () => {};
  return {
    isRevoked: revoked.has,
    sweeps: [{ name: 'old logouts', deleteOldest: store.deleteExpired }],
    routes: (app: FastifyInstance) => logoutRoutes(app, { store, revoked, limiter, tellOthers }),
    close: revoked.close,
  };
}
