import { randomBytes } from 'node:crypto';
import type { LoginSecrets } from '../../integrations/forum-provider.ts';
import type { KeyedHash } from '../../security/keyed-hash.ts';
import { timingSafeEqualText } from '../../security/timing-safe-equal.ts';

export const OAUTH_STATE_LIFETIME_S = 10 * 60;

/** A login in progress: the values the browser must bring back, signed in its cookie. */
export interface OAuthState extends LoginSecrets {
  readonly provider: string;
  /** The path in the front end to return to. */
  readonly redirect: string | undefined;
  readonly expiresAt: number;
}

export function newOAuthState(provider: string, redirect: string | undefined): OAuthState {
  const random = () => randomBytes(32).toString('base64url');
  return {
    provider,
    redirect,
    state: random(),
    verifier: random(),
    nonce: random(),
    expiresAt: Date.now() + OAUTH_STATE_LIFETIME_S * 1000,
  };
}

export function sealOAuthState(sign: KeyedHash, attempt: OAuthState): string {
  const content = Buffer.from(JSON.stringify(attempt)).toString('base64url');
  return `${content}.${sign(content)}`;
}

/** Returns the attempt in a cookie that we signed, that has not expired and that has this state. Undefined otherwise. */
export function openOAuthState(
  sign: KeyedHash,
  sealed: string | undefined,
  state: string,
): OAuthState | undefined {
  const [content = '', signature = '', ...rest] = (sealed ?? '').split('.');
  const isOurs = sign.all(content).some((each) => timingSafeEqualText(signature, each));
  if (rest.length > 0 || !isOurs) return undefined;
  const attempt = JSON.parse(Buffer.from(content, 'base64url').toString()) as OAuthState;
  return timingSafeEqualText(state, attempt.state) && attempt.expiresAt > Date.now() ? attempt : undefined;
}
