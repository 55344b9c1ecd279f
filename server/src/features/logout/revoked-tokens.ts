import type { Log } from '../../logging/log.ts';
import { Refusal } from '../../refusal.ts';
import { startJob } from '../../runtime/job.ts';
import type { Limiter } from '../../security/throttle.ts';
import type { VerifiedToken } from '../../security/tokens.ts';
import type { RevocationStore, RevokedToken } from './store.ts';

/** Other instances learn of a logout after at most two polls. */
const POLL_MS = 900;
/** Rows can become visible slightly out of order, and the clocks of a cluster's nodes differ a little. */
const OVERLAP_MS = 60_000;
const SWEEP_MS = 10 * 60 * 1000;

interface RevokedTokensDeps {
  readonly store: Pick<RevocationStore, 'revokedSince'>;
  readonly log: Pick<Log, 'warn'>;
}

/** The revoked tokens in memory. Every request with a token checks them and must not query the database. */
export async function openRevokedTokens({ store, log }: RevokedTokensDeps) {
  const expiryById = new Map<string, number>();
  let latest = 0;
  let failing = false;
  let sweptAt = Date.now();

  async function refresh(): Promise<void> {
    for (const { id, revokedAt, expiresAt } of await store.revokedSince(latest - OVERLAP_MS)) {
      expiryById.set(id, expiresAt);
      if (revokedAt > latest) latest = revokedAt;
    }
  }

  /** Removes tokens that have expired. */
  function sweep(): void {
    const now = Date.now();
    if (now - sweptAt < SWEEP_MS) return;
    sweptAt = now;
    for (const [id, expiresAt] of expiryById) if (expiresAt < now) expiryById.delete(id);
  }

  async function poll(): Promise<void> {
    sweep();
    try {
      await refresh();
      failing = false;
    } catch (error) {
      if (!failing)
        log.warn({ err: error }, 'logouts on other instances could not be read; using the last known ones');
      failing = true;
    }
  }

  await refresh();
  const polling = startJob({ intervalMs: POLL_MS, work: poll });
  return {
    has: (id: string) => expiryById.has(id),
    add: ({ id, expiresAt }: Omit<RevokedToken, 'revokedAt'>) => void expiryById.set(id, expiresAt),
    close: polling.close,
  };
}

export type RevokedTokens = Awaited<ReturnType<typeof openRevokedTokens>>;

export interface LogoutDeps {
  readonly store: Pick<RevocationStore, 'add'>;
  readonly revoked: Pick<RevokedTokens, 'add'>;
  /** Limits by player, because each logout is a row for a day. */
  readonly limiter: Limiter;
  /** Notifies the other processes of this instance. */
  readonly tellOthers: (token: Omit<RevokedToken, 'revokedAt'>) => Promise<void>;
}

/** Ends one token: immediately in every process of this instance, on other instances at their next poll. */
export function logout({ store, revoked, limiter, tellOthers }: LogoutDeps) {
  return async ({ id, playerId, expiresAt }: VerifiedToken): Promise<void> => {
    const { over, retryAfter } = await limiter.hit(String(playerId));
    if (over) throw new Refusal('too_many_attempts', { retryAfter });
    const token = { id, expiresAt: expiresAt * 1000 };
    await store.add(token);
    revoked.add(token);
    await tellOthers(token);
  };
}
