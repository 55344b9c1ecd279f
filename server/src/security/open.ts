import type { AttemptStore } from './attempt-store.ts';
import { createGameServerAuth, type GameServerAuth, type GameServerAuthDeps } from './game-server-auth.ts';
import { createLoginThrottle, type LoginThrottle, type LoginThrottleSettings } from './login-throttle.ts';
import { createPasswordHashes, type PasswordHashes } from './password-hashes.ts';
import {
  createPlayerPasswords,
  type PasswordHashSettings,
  type PlayerPasswords,
} from './player-passwords.ts';
import { createPlayerLimit, type Limit, type PlayerLimit } from './throttle.ts';
import { createTokens, type Tokens, type TokensDeps } from './tokens.ts';

/** The checks of callers and credentials that several features share. */
export interface Security {
  readonly tokens: Tokens;
  readonly passwords: PlayerPasswords;
  /** How password hashes are stored. */
  readonly hashes: PasswordHashes;
  readonly throttle: LoginThrottle;
  /** The same limits for operators, with separate counters. */
  readonly operatorThrottle: LoginThrottle;
  readonly limitPlayer: PlayerLimit;
  readonly gameServerAuth: GameServerAuth;
}

interface SecurityDeps {
  readonly auth: PasswordHashSettings & {
    readonly jwt_secret: readonly string[];
    readonly seal_key?: readonly string[];
  };
  readonly isRevoked: TokensDeps['isRevoked'];
  readonly gameServers: GameServerAuthDeps;
  readonly attempts: AttemptStore;
  readonly attemptPatienceMs?: number | undefined;
  readonly limits: () => LoginThrottleSettings & { readonly player: Limit };
  readonly wrongCodes: () => Limit;
  /** Counts a throttle's refusals by its name. */
  readonly refused: (throttle: string) => void;
}

export function openSecurity(deps: SecurityDeps): Security {
  const { auth, isRevoked, gameServers, ...counting } = deps;
  const gameServerAuth = createGameServerAuth(gameServers);
  return {
    tokens: createTokens({ secrets: auth.jwt_secret, isRevoked }),
    passwords: createPlayerPasswords(auth),
    hashes: createPasswordHashes(auth.seal_key),
    throttle: createLoginThrottle({ ...counting, isExempt: gameServerAuth.isConfigured }),
    operatorThrottle: createLoginThrottle({ ...counting, isExempt: () => false, scope: 'operator_login' }),
    limitPlayer: createPlayerLimit(() => counting.limits().player, counting.refused),
    gameServerAuth,
  };
}
