import * as oidc from 'openid-client';
import type { NamedProvider } from '../settings/providers.ts';
import { type ForumAnswer, forumFetch } from './forum-fetch.ts';

/** Per call, from the first byte to the last. */
const TIMEOUT_S = 5;
const CLOCK_TOLERANCE_S = 120;

const client = { [oidc.clockTolerance]: CLOCK_TOLERANCE_S };

/** Reads the provider's metadata (OpenID Connect). */
export async function discover(settings: NamedProvider): Promise<oidc.Configuration> {
  const { issuer = '', client_id = '' } = settings;
  const options: oidc.DiscoveryRequestOptions = {
    timeout: TIMEOUT_S,
    [oidc.customFetch]: forumFetch((_url, answer) => answer),
    execute: [oidc.enableNonRepudiationChecks, ...(isInsecure(issuer) ? [oidc.allowInsecureRequests] : [])],
  };
  // The client authentication method is known only after discovery.
  let authenticate: oidc.ClientAuth = oidc.None();
  const config = await oidc.discovery(
    new URL(issuer),
    client_id,
    client,
    (...request) => authenticate(...request),
    options,
  );
  const methods = config.serverMetadata().token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  authenticate = clientAuth(settings, methods.includes('client_secret_basic') ? 'basic' : 'post');
  return config;
}

/** Configures plain OAuth 2.0: no metadata, and token responses that deviate from the standard. */
export function plain(settings: NamedProvider): () => Promise<oidc.Configuration> {
  const { authorize_url = '', token_url = '', userinfo_url = '', client_id = '' } = settings;
  const server = {
    issuer: new URL(authorize_url).origin,
    authorization_endpoint: authorize_url,
    token_endpoint: token_url,
    userinfo_endpoint: userinfo_url,
  };
  const config = new oidc.Configuration(server, client_id, client, clientAuth(settings, 'post'));
  config.timeout = TIMEOUT_S;
  config[oidc.customFetch] = forumFetch((url, answer) =>
    url === new URL(token_url).href ? normaliseToken(answer) : answer,
  );
  if ([authorize_url, token_url, userinfo_url].some(isInsecure)) oidc.allowInsecureRequests(config);
  return async () => config;
}

/** Forums omit the type, send scopes as lists, junk as id_token, and errors with status 200. */
function normaliseToken({ status, body }: ForumAnswer): ForumAnswer {
  const { access_token, token_type, error } = body;
  if (access_token === undefined)
    return { status: error !== undefined && status === 200 ? 400 : status, body };
  return {
    status,
    body: { access_token, token_type: typeof token_type === 'string' ? token_type : 'bearer' },
  };
}

function clientAuth(
  { client_secret, client_auth }: NamedProvider,
  otherwise: 'basic' | 'post',
): oidc.ClientAuth {
  if (client_secret === undefined) return oidc.None();
  const way = client_auth === 'auto' ? otherwise : client_auth;
  return way === 'basic' ? oidc.ClientSecretBasic(client_secret) : oidc.ClientSecretPost(client_secret);
}

const isInsecure = (url: string) => new URL(url).protocol === 'http:';
