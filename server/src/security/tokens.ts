import { createSigner, createVerifier } from 'fast-jwt';
import { randomId } from './random-id.ts';

const ISSUER = 'gatehouse';
const ALGORITHM = 'HS256';
const LIFETIME_S = 24 * 3600;

export interface Claims {
  readonly playerId: number;
  readonly account: string;
  /** The player's token version when it was issued; raising the player's ends the token. */
  readonly version: number;
}

export interface IssuedToken {
  readonly token: string;
  readonly expiresAt: Date;
}

export interface Tokens {
  issue(claims: Claims): IssuedToken;
  /** The claims of a token that is ours and in date, or undefined. Whether it is still wanted only the database knows. */
  verify(token: string): Claims | undefined;
}

export function createTokens(secret: string): Tokens {
  const sign = createSigner({ key: secret, algorithm: ALGORITHM });
  const verify = createVerifier({
    key: secret,
    algorithms: [ALGORITHM],
    allowedIss: ISSUER,
    requiredClaims: ['sub', 'account', 'ver', 'iat', 'exp', 'iss', 'jti'],
    cache: 10_000,
  });

  return {
    issue({ playerId, account, version }) {
      const issuedAt = Math.floor(Date.now() / 1000);
      const expires = issuedAt + LIFETIME_S;
      const token = sign({
        sub: String(playerId),
        account,
        ver: version,
        iat: issuedAt,
        exp: expires,
        iss: ISSUER,
        jti: randomId(),
      });
      return { token, expiresAt: new Date(expires * 1000) };
    },
    verify(token) {
      if (!ONE_SPELLING.test(token)) return undefined;
      try {
        return claimsOf(verify(token));
      } catch {
        return undefined;
      }
    },
  };
}

/** The last character of a signature holds two bits that are not used; only one of its spellings is the token. */
const ONE_SPELLING = /\.[\w-]{42}[AEIMQUYcgkosw048]$/;

function claimsOf(payload: Record<string, unknown>): Claims | undefined {
  const { sub, account, ver, exp } = payload;
  const playerId = typeof sub === 'string' && /^[1-9]\d{0,15}$/.test(sub) ? Number(sub) : undefined;
  if (
    playerId === undefined ||
    typeof account !== 'string' ||
    !Number.isInteger(ver) ||
    typeof exp !== 'number'
  )
    return undefined;
  return { playerId, account, version: Number(ver) };
}
