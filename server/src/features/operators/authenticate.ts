import { createHash } from 'node:crypto';
import { permissionsOf } from '@gatehouse/contract/admin';
import type { Trx } from '../../db/transaction.ts';
import type { OperatorAuthentication, OperatorIdentity } from '../../http/operator.ts';
import type { Argon2Passwords } from '../../security/argon2.ts';
import type { LoginThrottle } from '../../security/login-throttle.ts';
import type { RequireProof } from '../../security/proof-of-work.ts';
import type { LiveSettings } from '../../settings/live.ts';
import type { AuditStore } from '../audit/store.ts';
import type { TwoFactor } from '../two-factor/two-factor.ts';
import type { OperatorAccess } from './operator.ts';
import type { SessionLimits, SessionStore } from './session-store.ts';
import type { OperatorStore } from './store.ts';

/** Dependencies of the rules of operators' logins and own accounts. */
export interface OperatorDeps {
  readonly operators: OperatorStore;
  readonly sessions: SessionStore;
  readonly passwords: Argon2Passwords;
  readonly twoFactor: TwoFactor;
  readonly throttle: LoginThrottle;
  readonly requireProof: RequireProof;
  readonly audit: Pick<AuditStore, 'transaction'>;
  readonly transaction: <T>(work: (trx: Trx) => Promise<T>) => Promise<T>;
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
 * immediately.
 */
export function authenticate({ sessions, settings }: OperatorDeps): OperatorAuthentication['authenticate'] {
  return async (credential, { address, id }): Promise<OperatorIdentity | undefined> => {
    if ('key' in credential) {
      const hash = hashToken(credential.key);
      const found = await sessions.findKey(hash);
      if (!found) return undefined;
      if (found.idleMs > TOUCH_AFTER_MS) await sessions.touchKey(hash);
      return identity(found, { totp: false, session: undefined }, { via: 'key', credential: { key: hash } });
    }
    const tokenHash = hashToken(credential.cookie);
    const found = await sessions.find(tokenHash, sessionLimits(settings));
    if (!found) return undefined;
    if (found.idleMs > TOUCH_AFTER_MS) await sessions.touch(tokenHash);
    const { operator } = found;
    const session = { operatorId: operator.id, tokenHash };
    const author = { via: 'console', credential: { session: tokenHash } } as const;
    return identity(operator, { totp: operator.totp, session }, author);

    function identity(
      { name, role, zones }: OperatorAccess,
      { totp, session }: Pick<OperatorIdentity, 'totp' | 'session'>,
      author: Pick<OperatorIdentity['actor'], 'via' | 'credential'>,
    ): OperatorIdentity {
      return {
        name,
        role,
        zones,
        permissions: new Set(permissionsOf(role, zones)),
        totp,
        actor: { name, ...author, ip: address, requestId: id },
        session,
      };
    }
  };
}
