import { type AnswerOf, type BodyOf, type Route, routes } from '@gatehouse/contract/player';
import { ApiError, type Failure, failureFrom } from './failure.ts';

type Routes = typeof routes;

/** The service answers within seconds; after this long the connection is dead. */
const TIMEOUT_MS = 30_000;
const SOLUTION = 'x-challenge-solution';

interface Sent {
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly params?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One call per endpoint used by the pages. Each returns the response body or throws an ApiError. */
export const api = {
  config: () => call<Routes['config']>(routes.config),
  zones: () => call<Routes['serverList']>(routes.serverList),
  announcements: () =>
    call<Routes['announcementList']>(routes.announcementList, { query: { language: connection.language() } }),
  newsList: (limit: number, cursor?: string) =>
    call<Routes['newsList']>(routes.newsList, { query: { language: connection.language(), limit, cursor } }),
  news: (id: string) => call<Routes['news']>(routes.news, { params: { id } }),
  login: (body: BodyOf<Routes['login']>) => call<Routes['login']>(routes.login, { body }),
  register: (body: BodyOf<Routes['register']>, agentId: string | null) =>
    call<Routes['register']>(routes.register, { body, query: { agent_id: agentId ?? undefined } }),
  sendCode: (body: BodyOf<Routes['sendCode']>) => call<Routes['sendCode']>(routes.sendCode, { body }),
  resetPassword: (body: BodyOf<Routes['resetPassword']>) =>
    call<Routes['resetPassword']>(routes.resetPassword, { body }),
  logout: () => send(routes.logout),
  forumBind: (body: BodyOf<Routes['forumBind']>) => call<Routes['forumBind']>(routes.forumBind, { body }),
  bindings: () => call<Routes['bindings']>(routes.bindings),
  unbind: (provider: string) => call<Routes['unbind']>(routes.unbind, { params: { provider } }),
  enterGame: (server_id: number) => call<Routes['enterGame']>(routes.enterGame, { body: { server_id } }),
  roles: (server_id: number) => call<Routes['roles']>(routes.roles, { query: { server_id } }),
  withdraw: (body: BodyOf<Routes['withdraw']>, key: string) =>
    call<Routes['withdraw']>(routes.withdraw, { body, headers: { 'idempotency-key': key } }),
  withdrawals: (next?: string) =>
    call<Routes['withdrawals']>(routes.withdrawals, { query: { limit: 20, next, include: 'day' } }),
};

/** Returns the agreement's URL after checking that it can be read. */
export async function agreementUrl(): Promise<string> {
  const query = { language: connection.language() };
  await send(routes.agreement, { query });
  return withQuery(routes.agreement.path, query);
}

/** Returns the URL at which the browser logs in with an identity provider. */
export const authorizeUrl = (provider: string, redirect: string) =>
  withQuery(routes.authorize.path, { provider, redirect });

/** What a call needs from the rest of the page; injected, so that this file has no other dependencies. */
interface Connection {
  readonly token: () => string | null;
  readonly language: () => string;
  /** Called when the service no longer accepts the token. */
  readonly onSessionEnd: (failure: Failure) => void;
}

let connection: Connection = { token: () => null, language: () => 'en', onSessionEnd: () => {} };

export function connectApi(to: Connection) {
  connection = to;
}

type Target = Pick<Route, 'method' | 'path' | 'auth'>;

/** Calls a route; `R` determines the type of the answer. */
export async function call<R extends Route>(route: Target, sent?: Sent): Promise<AnswerOf<R>> {
  const response = await send(route, sent);
  // A truncated or rewritten answer counts as none.
  return response.json().catch(() => {
    throw new ApiError({ kind: 'offline' });
  });
}

export async function send(route: Target, sent: Sent = {}): Promise<Response> {
  const token = connection.token();
  const response = await fetch(withQuery(withParams(route.path, sent.params), sent.query), {
    method: route.method,
    headers: {
      'accept-language': connection.language(),
      ...(sent.body !== undefined && { 'content-type': 'application/json' }),
      ...(route.auth === 'player' && token && { authorization: `Bearer ${token}` }),
      ...sent.headers,
    },
    ...(sent.body !== undefined && { body: JSON.stringify(sent.body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => {
    throw new ApiError({ kind: 'offline' });
  });
  if (response.ok) return response;

  const failure = await failureFrom(response);
  const solution = await solutionOf(failure, sent);
  if (solution !== null) return send(route, { ...sent, headers: { ...sent.headers, [SOLUTION]: solution } });
  // A late answer to an earlier session's token must not end a later session.
  const isCurrent = token === connection.token();
  if (route.auth === 'player' && isCurrent && endsSession(failure)) connection.onSessionEnd(failure);
  throw new ApiError(failure);
}

/** Solves the challenge that the service demands under load. The player notices nothing, and the solver is loaded only then. */
async function solutionOf(failure: Failure, sent: Sent): Promise<string | null> {
  const challenge = failure.kind === 'refused' ? failure.problem.challenge : undefined;
  if (typeof challenge !== 'object' || sent.headers?.[SOLUTION]) return null;
  const { solveChallenge } = await import('./challenge.ts');
  return solveChallenge(challenge).catch(() => null);
}

function endsSession(failure: Failure): boolean {
  return (
    failure.kind === 'refused' &&
    (failure.problem.code === 'invalid_token' || failure.problem.code === 'account_suspended')
  );
}

function withParams(path: string, params: Sent['params'] = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

function withQuery(path: string, query: Sent['query'] = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}
