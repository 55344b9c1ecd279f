import { createHash } from 'node:crypto';
import { permissionsOf } from '@gatehouse/contract/admin';
import type { OperatorAuthentication, OperatorIdentity } from '../../http/operator.ts';
import type { LiveSettings } from '../../settings/live.ts';
import type { OperatorAccess } from './operator.ts';
import type { SessionLimits, SessionStore } from './session-store.ts';

export interface AuthenticateParts {
  readonly sessions: SessionStore;
  readonly settings: LiveSettings;
}

/** Minimum time between two writes of the last use. */
const TOUCH_AFTER_MS = 30_000;

/** Tokens are random bytes that cannot be guessed, so they need no slow hash. */
export const hashToken = (token: string) => createHash('sha256').update(token).digest('hex');

export function sessionLimits({ current: { console } }: LiveSettings): SessionLimits {
  return { lifetimeMs: console.session_hours * 3_600_000, idleMs: console.idle_minutes * 60_000 };
}

/**
 * Finds the operator of a session or key. Queries the database each time, so that a revocation takes effect on every instance
 * at once.
 */
export function authenticate(parts: AuthenticateParts): OperatorAuthentication['authenticate'] {
  const { sessions, settings } = parts;
  return async (credential, { address, id }): Promise<OperatorIdentity | undefined> => {
    if ('key' in credential) {
      const hash = hashToken(credential.key);
      const found = await sessions.findKey(hash);
      if (!found) return undefined;
      if (found.idleMs > TOUCH_AFTER_MS) await sessions.touchKey(hash);
      return identity(found, { via: 'key', totp: false, session: undefined });
    }
    const tokenHash = hashToken(credential.cookie);
    const found = await sessions.find(tokenHash, sessionLimits(settings));
    if (!found) return undefined;
    if (found.idleMs > TOUCH_AFTER_MS) await sessions.touch(tokenHash);
    const { operator } = found;
    const session = { operatorId: operator.id, tokenHash };
    return identity(operator, { via: 'console', totp: operator.totp, session });

    function identity(
      { name, role, zones }: OperatorAccess,
      { via, totp, session }: { via: 'console' | 'key' } & Pick<OperatorIdentity, 'totp' | 'session'>,
    ): OperatorIdentity {
      return {
        name,
        role,
        zones,
        permissions: new Set(permissionsOf(role, zones)),
        totp,
        actor: { name, via, ip: address, requestId: id },
        session,
      };
    }
  };
}
