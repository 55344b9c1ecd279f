import { createVerifier } from 'fast-jwt';
import { generationalCache } from '../runtime/generational-cache.ts';
import { hmacSha256 } from './hmac-sha256.ts';
import { randomId } from './random-id.ts';

const ISSUER = 'gatehouse';
const ALGORITHM = 'HS256';
const LIFETIME_S = 24 * 3600;

/** `player`: a session. `game`: for the game client, which can show it to its game server and do nothing else with it. */
export type Audience = 'player' | 'game';

export interface Claims {
  readonly playerId: number;
  readonly account: string;
  /** The player's token version when it was issued; raising the player's ends the token. */
  readonly version: number;
}

export interface VerifiedToken extends Claims {
  readonly id: string;
  /** The id of the session that a game token was made from; undefined in tokens of earlier versions. */
  readonly sessionId?: string | undefined;
  readonly audience: Audience;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

export interface IssuedToken {
  readonly token: string;
  readonly expiresAt: Date;
}

export interface Tokens {
  issue(claims: Claims): IssuedToken;
  /** Valid as long as the session it is made from: until that expires or is logged out. */
  issueForGame(session: Claims & Pick<VerifiedToken, 'id' | 'expiresAt'>): string;
  /** What a token says that is ours, in date and not revoked, or undefined. Whether it is still wanted only the database knows. */
  verify(token: string): VerifiedToken | undefined;
}

export interface TokensParts {
  /** The first signs, tokens of all are good: so that a secret can be replaced while tokens of the old one live on. */
  readonly secrets: readonly string[];
  /** Whether a token was ended before its time. Asked for every token, so it must not take long. */
  readonly isRevoked: (id: string) => boolean;
}

export function createTokens({ secrets, isRevoked }: TokensParts): Tokens {
  const keys = secrets.map(createKey);
  const [first] = keys;
  if (first === undefined) throw new TypeError('tokens need a secret');
  const { sign } = first;
  const byHeader = new Map(keys.map((key) => [key.header, key]));
  /** By the whole token, so that nothing is found but what was verified. */
  const verified = generationalCache<string, VerifiedToken>(KEPT_VERIFIED);

  function contentOf(token: string): VerifiedToken | undefined {
    const key = byHeader.get(token.slice(0, token.indexOf('.')));
    // Before keys had ids, tokens did not name theirs.
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
    return sign({
      sub: String(playerId),
      account,
      ver: version,
      iss: ISSUER,
      jti: randomId(),
      ...own,
    });
  }

  return {
    issue(claims) {
      const iat = nowInSeconds();
      const exp = iat + LIFETIME_S;
      return { token: issue(claims, { aud: 'player', iat, exp }), expiresAt: new Date(exp * 1000) };
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
  /** How every token of it begins. */
  readonly header: string;
  readonly sign: (payload: object) => string;
  readonly verify: (token: string) => Record<string, unknown> | undefined;
}

/** Signs by itself: all but the HMAC of what a JWT library does for it is to copy and check a payload that is made here. */
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

/** Whoever shows a token shows it again, and verifying takes twenty times as long as finding it; 3 to 6 MB. */
const KEPT_VERIFIED = 5000;

const nowInSeconds = () => Math.floor(Date.now() / 1000);

/** The last character of a signature holds two bits that are not used; only one of its spellings is the token. */
const ONE_SPELLING = /\.[\w-]{42}[AEIMQUYcgkosw048]$/;

function readPayload(payload: Record<string, unknown>): VerifiedToken | undefined {
  const { sub, account, ver, exp, jti, sid } = payload;
  const playerId = typeof sub === 'string' && /^[1-9]\d{0,15}$/.test(sub) ? Number(sub) : undefined;
  // Tokens had no audience before there were game tokens; the last of those end a day after the upgrade.
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
