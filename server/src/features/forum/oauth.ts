import { randomBytes } from 'node:crypto';
import type { LoginSecrets } from '../../integrations/forum-provider.ts';
import { Refusal, refuseInput } from '../../refusal.ts';
import { networkOf } from '../../security/addresses.ts';
import { type KeyedHash, timingSafeEqualText } from '../../security/keyed-hash.ts';
import type { ForumDeps } from './deps.ts';
import { hashOfTicket, newTicket, TICKET_LIFETIME_S, type Ticket } from './game-server.ts';

/** Error codes for faults of the provider or our settings, not of the player. */
const PROVIDER_FAULTS = new Set([
  'server_error',
  'temporarily_unavailable',
  'invalid_request',
  'invalid_client',
  'invalid_scope',
  'unauthorized_client',
  'unsupported_response_type',
]);

/** The parameters that the provider sent the browser back with. */
export interface ProviderAnswer {
  readonly code?: string | undefined;
  readonly error?: string | undefined;
  readonly iss?: string | undefined;
}

export interface TicketResult extends Ticket {
  readonly linked: boolean;
  /** The player's name at the provider. */
  readonly name: string | null;
}

export type CallbackResult =
  | TicketResult
  | { readonly error: 'forum_denied' | 'forum_state' | 'forum_unavailable' };

/** Finishes a login at an identity provider. Returns a one-time ticket for the identity, or the reason why there is none. */
export function callback(deps: ForumDeps) {
  const { providers, bindings, tickets, ticketHash, useStateOnce, callbackLimit, log } = deps;

  async function handle(
    answer: ProviderAnswer,
    attempt: OAuthState | undefined,
    address: string,
  ): Promise<CallbackResult> {
    const provider = providers.find(({ id }) => id === attempt?.provider);
    if (!attempt || !provider) return { error: 'forum_state' };
    const network = networkOf(address);
    if ((await callbackLimit.hit(network)).over) return { error: 'forum_unavailable' };
    if (!(await useStateOnce(attempt.state, 2 * OAUTH_STATE_LIFETIME_S * 1000)))
      return { error: 'forum_state' };
    if (PROVIDER_FAULTS.has(answer.error ?? '')) return { error: 'forum_unavailable' };
    if (answer.error !== undefined || !answer.code) return { error: 'forum_denied' };

    const { code, iss } = answer;
    const identity = await provider.identify({ code, ...(iss !== undefined && { iss }) }, attempt);
    if (identity === 'code_refused') return { error: 'forum_state' };

    await callbackLimit.undo(network);
    const ticket = newTicket();
    await tickets.add(hashOfTicket(ticketHash, ticket), identity, TICKET_LIFETIME_S * 1000);
    const linked = (await bindings.ownerOf(identity)) !== undefined;
    return { ...ticket, linked, name: identity.name };
  }

  return async (
    answer: ProviderAnswer,
    attempt: OAuthState | undefined,
    address: string,
  ): Promise<CallbackResult> => {
    try {
      return await handle(answer, attempt, address);
    } catch (error) {
      if (!(error instanceof Refusal)) log.error({ err: error }, 'a forum login could not be finished');
      return { error: 'forum_unavailable' };
    }
  };
}

/** One cookie per login, so that two tabs do not conflict. */
export const cookieNames = {
  /** Between authorize and callback. */
  state: (state: string) => `forum_${state.slice(0, 8)}`,
  /** Between callback and bind. */
  ticket: (ticket: string) => `forum_bind_${ticket.slice(0, 8)}`,
};

const STATE_COOKIE = /^forum_[\w-]{8}$/;

/** Reports whether the cookie may be ours. Browsers can be made to send any name, even one that HTTP does not allow. */
export const isStateCookie = (name: string): boolean => STATE_COOKIE.test(name);

/** Starts a login at an identity provider. Returns the URL for the browser and the state it must bring back. */
export function authorize({ providers }: ForumDeps) {
  return async (wanted: {
    provider?: string;
    redirect?: string;
  }): Promise<{ location: string; attempt: OAuthState }> => {
    const redirect = frontEndPath(wanted.redirect);
    const provider =
      wanted.provider === undefined ? providers[0] : providers.find(({ id }) => id === wanted.provider);
    if (!provider) throw new Refusal('not_found');
    const attempt = newOAuthState(provider.id, redirect);
    return { location: await provider.loginUrl(attempt), attempt };
  };
}

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

const CONTROL_OR_BACKSLASH = /[\p{Cc}\p{Cs}\\]/u;
const MAX_DECODINGS = 5;

/** Returns a path of the front end. Refuses anything a browser might read as another address, in any encoding. */
export function frontEndPath(wanted: string | undefined): string | undefined {
  if (wanted === undefined || isFrontEndPath(wanted)) return wanted;
  throw refuseInput('redirect', 'pattern');
}

function isFrontEndPath(wanted: string): boolean {
  let spelling = wanted;
  for (let round = 0; round < MAX_DECODINGS; round++) {
    if (!isPlainPath(spelling)) return false;
    const decoded = decode(spelling);
    // `100%25` cannot be decoded twice; text that cannot be decoded once is not a path.
    if (decoded === undefined) return round > 0;
    if (decoded === spelling) return true;
    spelling = decoded;
  }
  return false;
}

function isPlainPath(path: string): boolean {
  if (!path.startsWith('/') || CONTROL_OR_BACKSLASH.test(path)) return false;
  const url = URL.parse(path, 'http://front.end');
  if (url?.host !== 'front.end') return false;
  return !url.pathname.includes('//') && !/^\/api(\/|$)/i.test(url.pathname);
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
