import { bulkhead } from 'cockatiel';
import * as oidc from 'openid-client';
import type { Log } from '../logging/log.ts';
import { Refusal } from '../refusal.ts';
import { currentTrace, traceFields } from '../runtime/trace.ts';
import type { NamedProvider } from '../settings/forum-provider.ts';
import { connectIdOf, discover, type Fields, nameOf, plain } from './forum-client.ts';

const METADATA_LIFETIME_MS = 3600 * 1000;
/** Upper bounds for concurrent logins at a provider, and for those that wait. More are refused. */
const MAX_CONCURRENT = 16;
const MAX_WAITING = 32;

/** Secrets of one login, known to this browser and, as the protocol requires, to the provider. */
export interface LoginSecrets {
  readonly state: string;
  readonly verifier: string;
  readonly nonce: string;
}

export interface ForumIdentity {
  readonly provider: string;
  readonly connectId: string;
  /** The person's name at the provider. */
  readonly name: string | null;
}

interface ProviderDeps {
  readonly settings: NamedProvider;
  readonly callbackUrl: string;
  readonly log: Pick<Log, 'warn'>;
}

/** An identity provider. Refuses with forum_unavailable if it is down, slow, or answers nonsense. */
export function openForumProvider({ settings, callbackUrl, log }: ProviderDeps) {
  const { id } = settings;
  const isOidc = settings.issuer !== undefined;
  const limited = bulkhead(MAX_CONCURRENT, MAX_WAITING);
  const configuration = isOidc ? cachedFor(METADATA_LIFETIME_MS, () => discover(settings)) : plain(settings);

  async function callProvider<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : undefined;
      log.warn(
        { provider: id, ...traceFields(currentTrace()), err: error, cause },
        'an identity provider failed',
      );
      throw new Refusal('forum_unavailable');
    }
  }

  const callLimited = <T>(work: () => Promise<T>): Promise<T> => callProvider(() => limited.execute(work));

  async function profileOf(config: oidc.Configuration, token: string, claims: Fields): Promise<Fields> {
    const { userinfo_endpoint } = config.serverMetadata();
    if (userinfo_endpoint === undefined) return claims;
    const answer = await oidc.fetchProtectedResource(config, token, new URL(userinfo_endpoint), 'GET');
    if (!answer.ok) throw new Error(`the profile request was answered with status ${answer.status}`);
    const profile = (await answer.json()) as Fields;
    if (isOidc && profile.sub !== claims.sub) throw new Error('the profile belongs to another person');
    return { ...claims, ...profile };
  }

  return {
    id,
    /** Returns the URL to redirect the browser to. */
    loginUrl: ({ state, verifier, nonce }: LoginSecrets) =>
      callProvider(async () => {
        const scope = scopeOf(settings);
        const parameters = {
          redirect_uri: callbackUrl,
          state,
          code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          ...(scope && { scope }),
          ...(isOidc && { nonce }),
        };
        return oidc.buildAuthorizationUrl(await configuration(), parameters).href;
      }),

    /** Exchanges the code for the person's identity; `code_refused` if the code is unknown or has expired. */
    identify: ({ code, iss }: { code: string; iss?: string }, { state, verifier, nonce }: LoginSecrets) =>
      callLimited(async () => {
        const config = await configuration();
        const url = new URL(callbackUrl);
        const issuer = isOidc && iss !== undefined ? { iss } : {};
        url.search = new URLSearchParams({ code, state, ...issuer }).toString();
        const checks = { expectedState: state, pkceCodeVerifier: verifier };
        const tokens = await oidc
          .authorizationCodeGrant(config, url, isOidc ? { ...checks, expectedNonce: nonce } : checks)
          .catch(unlessCodeRefused);
        if (tokens === 'code_refused') return tokens;
        const profile = await profileOf(config, tokens.access_token, tokens.claims() ?? {});
        return {
          provider: id,
          connectId: connectIdOf(profile, settings.id_field),
          name: nameOf(profile, settings.name_field),
        };
      }),
  };
}

export type ForumProvider = ReturnType<typeof openForumProvider>;

function unlessCodeRefused(error: unknown): 'code_refused' {
  if (error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant') return 'code_refused';
  throw error;
}

function scopeOf({ issuer, scope }: NamedProvider): string {
  if (issuer === undefined) return scope;
  if (scope === '') return 'openid profile';
  return scope.split(' ').includes('openid') ? scope : `openid ${scope}`;
}

/** Fetches on first use and caches. Concurrent calls share one request. Failures are not cached. */
function cachedFor<T>(lifetimeMs: number, make: () => Promise<T>): () => Promise<T> {
  let cached: { value: Promise<T>; until: number } | undefined;
  return () => {
    if (cached && cached.until > Date.now()) return cached.value;
    const value = make();
    const entry = { value, until: Date.now() + lifetimeMs };
    cached = entry;
    value.catch(() => {
      if (cached === entry) cached = undefined;
    });
    return value;
  };
}
