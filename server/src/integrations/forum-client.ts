import * as oidc from 'openid-client';
import { currentTrace, traceHeaders } from '../runtime/trace.ts';
import type { NamedProvider } from '../settings/forum-provider.ts';

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

const LIMIT_BYTES = 64 * 1024;

export type Fields = Record<string, unknown>;

export interface ForumAnswer {
  readonly status: number;
  readonly body: Fields;
}

/** The `fetch` passed to openid-client, which sets the timeout and follows no redirects. */
export type ForumFetch = (url: string, options: object) => Promise<Response>;

/** Reads a bounded JSON object of any media type and returns it as JSON, normalised if needed. */
export function forumFetch(normalise: (url: string, answer: ForumAnswer) => ForumAnswer): ForumFetch {
  return async (url, options) => {
    const headers = new Headers((options as RequestInit).headers);
    for (const [name, value] of Object.entries(traceHeaders(currentTrace()))) headers.set(name, value);
    // A forum may close a kept connection just as a request is sent on it, and a code cannot be sent again.
    headers.set('connection', 'close');
    const response = await fetch(url, { ...options, headers });
    const text = await readBounded(response);
    const isForm = /urlencoded/i.test(response.headers.get('content-type') ?? '');
    const body = isForm ? Object.fromEntries(new URLSearchParams(text)) : parseObject(text, response.status);
    const { status, body: normalised } = normalise(url, { status: response.status, body });
    return new Response(JSON.stringify(normalised), {
      status,
      headers: { 'content-type': 'application/json' },
    });
  };
}

async function readBounded({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body ?? []) {
    length += piece.length;
    if (length > LIMIT_BYTES) throw new Error(`the answer is larger than ${LIMIT_BYTES} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** The error omits the text, which may hold a token. */
function parseObject(text: string, status: number): Fields {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`the answer (status ${status}) is not a JSON object`);
  return value as Fields;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text, exactIntegers);
  } catch {
    return undefined;
  }
}

/** Keeps integers beyond 2^53 as text: rounding would make two ids equal. */
function exactIntegers(_key: string, value: unknown, context?: { source?: string }): unknown {
  const inexact = typeof value === 'number' && !Number.isSafeInteger(value);
  return inexact && /^-?\d+$/.test(context?.source ?? '') ? context?.source : value;
}

const MAX_ID = 191;
const MAX_NAME = 128;
const CONTROL = /[\p{Cc}\p{Cs}]/u;

/** Returns the value at a path such as `user.id`, or undefined. */
function at(profile: Fields, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, key)
          ? (value as Fields)[key]
          : undefined,
      profile,
    );
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  return Number.isSafeInteger(value) ? String(value) : '';
}

/** Returns the account id at the provider. Refuses 0: forums use it for guests, who would all share one player. */
export function connectIdOf(profile: Fields, path: string): string {
  const id = textOf(at(profile, path));
  if (id === '' || id === '0' || id.length > MAX_ID || CONTROL.test(id))
    throw new Error(`the profile has no usable id at ${path}`);
  return id;
}

/** Returns a name to derive an account name from, or null. */
export function nameOf(profile: Fields, path: string): string | null {
  const name = [...textOf(at(profile, path))].slice(0, MAX_NAME).join('');
  return name === '' || CONTROL.test(name) ? null : name;
}
