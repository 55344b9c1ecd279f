import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { listen, readBody } from '../http-listener.ts';
import { callbackOf, type ForumClient } from './users.ts';

export type PlainUser = { [field: string]: unknown };

/** How a response deviates from the usual one. */
export type Quirk = {
  status?: number;
  type?: string;
  headers?: Record<string, string>;
  /** Derives the body from the usual one. */
  body?: (usual: PlainUser) => string;
  /** `never`: no response at all; `slowly`: a byte now and then, endlessly. */
  pace?: 'never' | 'slowly';
  /** Closes a connection that has carried an answer before, as a server does whose idle limit has just passed. */
  cutsReused?: boolean;
};

export type PlainForumOptions = ForumClient & {
  /** The user logged in at the forum, as returned by its profile page. */
  visitor: PlainUser;
};

export type PlainForum = {
  url: string;
  /** A provider table for Gatehouse's settings; set `id_field` if it is not `user.id`. */
  settings: { [name: string]: unknown };
  /** Sets the visitor from now on; `null` cancels the login. */
  setVisitor: (visitor: PlainUser | null) => void;
  misbehave: (quirks: { token?: Quirk; profile?: Quirk }) => void;
  /** Every requested URL. */
  requests: readonly string[];
  stop: () => Promise<void>;
};

type Grant = { visitor: PlainUser; challenge: string | null; redirectUri: string };

/** Starts a forum of the older kind: OAuth 2.0 with typical deviations, and worse ones on demand. */
export async function startPlainForum(options: PlainForumOptions): Promise<PlainForum> {
  const { publicUrl, clientId = 'gatehouse', clientSecret = randomBytes(24).toString('hex') } = options;
  const codes = new Map<string, Grant>();
  const tokens = new Map<string, PlainUser>();
  const requests: string[] = [];
  let visitor: PlainUser | null = options.visitor;
  let quirks: { token?: Quirk; profile?: Quirk } = {};

  function authorize(query: URLSearchParams, response: ServerResponse): void {
    const redirectUri = query.get('redirect_uri') ?? '';
    if (query.get('client_id') !== clientId || redirectUri !== callbackOf(publicUrl))
      return void response.writeHead(400).end('unknown client');
    const back = new URL(redirectUri);
    back.searchParams.set('state', query.get('state') ?? '');
    if (visitor === null) back.searchParams.set('error', 'access_denied');
    else {
      const code = randomBytes(16).toString('hex');
      codes.set(code, { visitor, challenge: query.get('code_challenge'), redirectUri });
      back.searchParams.set('code', code);
    }
    response.writeHead(302, { location: back.href }).end();
  }

  async function token(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await readBody(request));
    const code = form.get('code') ?? '';
    const grant = codes.get(code);
    codes.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const known = form.get('client_id') === clientId && form.get('client_secret') === clientSecret;
    if (!known || !grant || grant.redirectUri !== form.get('redirect_uri') || grant.challenge !== challenge)
      return answer(response, {}, { error: known ? 'invalid_grant' : 'invalid_client' });
    const access_token = randomBytes(16).toString('hex');
    tokens.set(access_token, grant.visitor);
    // No token_type, a list of scopes, an invalid id_token, numbers as text, all declared as HTML.
    const usual = { access_token, scope: ['basic', 'profile'], id_token: 'junk', expires_in: '' };
    await answer(response, { type: 'text/html', ...quirks.token }, usual);
  }

  async function profile(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const user = tokens.get((request.headers.authorization ?? '').replace(/^Bearer /i, ''));
    if (!user) return answer(response, { status: 401 }, { error: 'invalid_token' });
    await answer(response, quirks.profile ?? {}, user);
  }

  const listener = await listen({
    port: 0,
    handle: async (request, response) => {
      requests.push(request.url ?? '');
      const url = new URL(request.url ?? '', 'http://forum');
      if (url.pathname === '/oauth/authorize') authorize(url.searchParams, response);
      else if (url.pathname === '/oauth/token') await token(request, response);
      else if (url.pathname === '/api/me') await profile(request, response);
      else response.writeHead(404).end();
    },
  });
  const url = `http://127.0.0.1:${listener.port}`;
  return {
    url,
    settings: {
      enabled: true,
      name: 'Old Forum',
      client_id: clientId,
      client_secret: clientSecret,
      authorize_url: `${url}/oauth/authorize`,
      token_url: `${url}/oauth/token`,
      userinfo_url: `${url}/api/me`,
      id_field: 'user.id',
      name_field: 'user.name',
    },
    setVisitor(next) {
      visitor = next;
    },
    misbehave(next) {
      quirks = next;
    },
    requests,
    stop: listener.pause,
  };
}

/** Connections on which a token or a profile was answered. */
const answered = new WeakSet<Socket>();

async function answer(response: ServerResponse, quirk: Quirk, usual: PlainUser): Promise<void> {
  const { status = 200, type = 'application/json', headers = {}, body = JSON.stringify, pace } = quirk;
  const { socket } = response;
  if (quirk.cutsReused && socket && answered.has(socket)) return void socket.destroy();
  if (socket) answered.add(socket);
  if (pace === 'never') return;
  response.writeHead(status, { 'content-type': type, ...headers });
  if (pace === 'slowly') {
    const timer = setInterval(() => response.write(' '), 200);
    response.once('close', () => clearInterval(timer));
    return;
  }
  response.end(body(usual));
}
