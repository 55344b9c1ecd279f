import { createVerifier } from 'fast-jwt';
import { generationalCache } from '../runtime/generational-cache.ts';
import { hmacSha256 } from './hmac-sha256.ts';
import { randomId } from './random-id.ts';

const ISSUER = 'gatehouse';
const ALGORITHM = 'HS256';
const LIFETIME_S = 24 * 3600;

/** `player`: a session. `game`: for the game client, which can only present it to its game server. */
export type Audience = 'player' | 'game';

export interface Claims {
  readonly playerId: number;
  readonly account: string;
  /** The player's token version at issue. Raising the player's version ends the token. */
  readonly version: number;
}

export interface VerifiedToken extends Claims {
  readonly id: string;
  /** The id of the session that a game token was made from; undefined in tokens from earlier versions. */
  readonly sessionId?: string | undefined;
  readonly audience: Audience;
  /** Unix time in seconds. */
  readonly expiresAt: number;
}

export interface IssuedToken {
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export interface Tokens {
  /** Issues a session for 24 hours, or until `expiresAt`, in seconds. */
  issue(claims: Claims, expiresAt?: number): IssuedToken;
  /** Issues a token that is valid until its session expires or is logged out. */
  issueForGame(session: Claims & Pick<VerifiedToken, 'id' | 'expiresAt'>): string;
  /**
   * Returns the claims of a token of ours that is neither expired nor revoked, or undefined. The caller must check its version
   * in the database.
   */
  verify(token: string): VerifiedToken | undefined;
}

export interface TokensDeps {
  /** The first signs and all verify, so that a secret can be replaced while its tokens stay valid. */
  readonly secrets: readonly string[];
  /** Reports whether a token was revoked. Called for every token, so it must be fast. */
  readonly isRevoked: (id: string) => boolean;
}

export function createTokens({ secrets, isRevoked }: TokensDeps): Tokens {
  const keys = secrets.map(createKey);
  const [first] = keys;
  if (first === undefined) throw new TypeError('tokens need a secret');
  const { sign } = first;
  const byHeader = new Map(keys.map((key) => [key.header, key]));
  /** Keyed by the whole token, so that only verified tokens are found. */
  const verified = generationalCache<string, VerifiedToken>(KEPT_VERIFIED);

  function contentOf(token: string): VerifiedToken | undefined {
    const key = byHeader.get(token.slice(0, token.indexOf('.')));
    // Tokens from before keys had ids do not name their key.
    for (const { verify } of key ? [key] : keys) {
      const payload = verify(token);
      if (payload) return readPayload(payload);
    }
    return undefined;
  }

  function issue(
    { playerId, account, version }: Claims,
    own: { aud: Audience; iat: number; exp: number; sid?: string },
  ): string {
    return sign({ sub: String(playerId), account, ver: version, iss: ISSUER, jti: randomId(), ...own });
  }

  return {
    issue(claims, expiresAt) {
      const iat = nowInSeconds();
      const exp = expiresAt ?? iat + LIFETIME_S;
      return { token: issue(claims, { aud: 'player', iat, exp }), expiresAt: exp * 1000 };
    },
    issueForGame: ({ id, expiresAt, ...claims }) =>
      issue(claims, { aud: 'game', iat: nowInSeconds(), exp: expiresAt, sid: id }),
    verify(token) {
      const known = verified.get(token);
      const content = known ?? (ONE_SPELLING.test(token) ? contentOf(token) : undefined);
      if (known === undefined && content) verified.set(token, content);
      if (!content || content.expiresAt <= Date.now() / 1000) return undefined;
      const { id, sessionId } = content;
      return isRevoked(id) || (sessionId !== undefined && isRevoked(sessionId)) ? undefined : content;
    },
  };
}

interface Key {
  /** The encoded header that all tokens of this key begin with. */
  readonly header: string;
  readonly sign: (payload: object) => string;
  readonly verify: (token: string) => Record<string, unknown> | undefined;
}

/** Signs without a JWT library: apart from the HMAC, it would only copy and check a payload that is made here. */
function createKey(secret: string): Key {
  const hmac = hmacSha256(secret);
  const kid = hmac('gatehouse key id').slice(0, 8);
  const header = base64Url({ alg: ALGORITHM, typ: 'JWT', kid });
  const verify = createVerifier({
    key: secret,
    algorithms: [ALGORITHM],
    allowedIss: ISSUER,
    requiredClaims: ['sub', 'account', 'ver', 'iat', 'exp', 'iss', 'jti'],
  });
  return {
    header,
    sign(payload) {
      const signed = `${header}.${base64Url(payload)}`;
      return `${signed}.${hmac(signed)}`;
    },
    verify(token) {
      try {
        return verify(token);
      } catch {
        return undefined;
      }
    },
  };
}

const base64Url = (content: object) => Buffer.from(JSON.stringify(content)).toString('base64url');

/** Size of the cache, 3 to 6 MB. Tokens are presented again, and verifying takes twenty times as long as a lookup. */
const KEPT_VERIFIED = 5000;

const nowInSeconds = () => Math.floor(Date.now() / 1000);

/** Accepts only one spelling: the last character of a signature has two unused bits. */
const ONE_SPELLING = /\.[\w-]{42}[AEIMQUYcgkosw048]$/;

function readPayload(payload: Record<string, unknown>): VerifiedToken | undefined {
  const { sub, account, ver, exp, jti, sid } = payload;
  const playerId = typeof sub === 'string' && /^[1-9]\d{0,15}$/.test(sub) ? Number(sub) : undefined;
  // Tokens without an audience are from before game tokens existed; the last expire a day after the upgrade.
  const { aud: audience = 'player' } = payload;
  if (
    playerId === undefined ||
    typeof account !== 'string' ||
    !Number.isInteger(ver) ||
    typeof exp !== 'number' ||
    typeof jti !== 'string' ||
    (sid !== undefined && typeof sid !== 'string') ||
    (audience !== 'player' && audience !== 'game')
  )
    return undefined;
  return { playerId, account, version: Number(ver), id: jti, sessionId: sid, audience, expiresAt: exp };
}
