import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Context, Provider } from 'oidc-provider';
import { listen, readBody } from '../http-listener.ts';
import { gonePage, loginPage, pageLanguage } from './login-page.ts';
import { callbackOf, demoUsers, type ForumClient, type ForumUser } from './users.ts';

export type ForumOptions = ForumClient & {
  /** 0 (the default) picks a free one. */
  port?: number;
  users?: readonly ForumUser[];
};

export type Forum = {
  issuer: string;
  url: string;
  /** The `forum` table for Gatehouse's settings. */
  settings: {
    enabled: true;
    name: string;
    issuer: string;
    client_id: string;
    client_secret: string;
  };
  stop: () => Promise<void>;
};

const interactionPath = /^\/interaction\/[\w-]+(\/cancel)?$/;

/** Starts an OpenID Connect forum with a page on which a visitor picks an identity. */
export async function startForum(options: ForumOptions): Promise<Forum> {
  const { publicUrl, users = demoUsers } = options;
  const client = {
    id: options.clientId ?? 'gatehouse',
    secret: options.clientSecret ?? randomBytes(24).toString('hex'),
  };
  let handle = (_request: IncomingMessage, response: ServerResponse) => void response.writeHead(503).end();
  const listener = await listen({
    port: options.port ?? 0,
    handle: (request, response) => handle(request, response),
  });
  const issuer = `http://127.0.0.1:${listener.port}`;
  const provider = new Provider(issuer, configuration({ client, publicUrl, users }));
  const speakOidc = provider.callback();
  handle = (request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    if (interactionPath.test(path)) return void interact(provider, users, request, response);
    // Each login starts without a session, so that the visitor can pick another identity.
    if (path === '/auth') delete request.headers.cookie;
    speakOidc(request, response);
  };
  return {
    issuer,
    url: issuer,
    settings: {
      enabled: true,
      name: 'Lantern Forum',
      issuer,
      client_id: client.id,
      client_secret: client.secret,
    },
    stop: listener.pause,
  };
}

async function interact(
  provider: Provider,
  users: readonly ForumUser[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const language = pageLanguage(request.headers['accept-language']);
  const show = (status: number, html: string) =>
    response
      .writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
      .end(html);
  try {
    const { uid } = await provider.interactionDetails(request, response);
    if (request.url?.endsWith('/cancel')) {
      const result = { error: 'access_denied', error_description: 'the visitor cancelled' };
      return await provider.interactionFinished(request, response, result);
    }
    const chosen =
      request.method === 'POST' ? new URLSearchParams(await readBody(request)).get('user') : null;
    const user = users.find(({ id }) => id === chosen);
    if (!user) return void show(200, loginPage(language, `/interaction/${uid}`, users));
    await provider.interactionFinished(request, response, {
      login: { accountId: user.id, remember: false },
    });
  } catch {
    show(400, gonePage(language));
  }
}

function configuration(parts: {
  client: { id: string; secret: string };
  publicUrl: string;
  users: readonly ForumUser[];
}) {
  const { client, publicUrl, users } = parts;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const hour = 3600;
  return {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [callbackOf(publicUrl)],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' }] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    claims: { openid: ['sub'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx: Context, { uid }: { uid: string }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    findAccount: (_ctx: Context, id: string) => {
      const user = users.find((each) => each.id === id);
      return user && { accountId: id, claims: () => ({ sub: id, name: user.name }) };
    },
    loadExistingGrant: consented,
    renderError: (ctx: Context, out: { error: string; error_description?: string }) => {
      ctx.type = 'text';
      ctx.body = `${out.error}: ${out.error_description ?? ''}`;
    },
    // Sessions are not kept, so that the next visitor can pick another identity.
    expiresWithSession: () => false,
    ttl: {
      AccessToken: hour,
      AuthorizationCode: 60,
      Grant: hour,
      IdToken: hour,
      Interaction: 3 * hour,
      Session: 1,
    },
  };
}

/** Grants consent without asking. */
async function consented({ oidc }: Context) {
  const { provider, client, session } = oidc;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope('openid profile');
  await grant.save();
  return grant;
}
