import {
  type AnswerOf,
  adminRoutes,
  type BodyOf,
  type ParamsOf,
  type QueryOf,
} from '@gatehouse/contract/admin';
import { dropEarly, takeEarly } from './early.ts';
import { ApiError, type Failure, failureFrom } from './failure.ts';

type Routes = typeof adminRoutes;
export type RouteName = keyof Routes;
export type Answer<N extends RouteName> = AnswerOf<Routes[N]>;
export type Body<N extends RouteName> = BodyOf<Routes[N]>;
export type Query<N extends RouteName> = Loose<QueryOf<Routes[N]>>;

/** Allows undefined for filters that are not set. */
type Loose<Q> = { readonly [K in keyof Q]?: Q[K] | undefined };

type Sent<N extends RouteName> = {
  readonly body?: Body<N>;
  readonly query?: Query<N>;
  readonly params?: ParamsOf<Routes[N]>;
  /** The body of an upload. */
  readonly file?: Blob;
};

/** The service answers within seconds; after this long the connection is dead. */
const TIMEOUT_MS = 30_000;
/** Streaming a list of 100,000 rows takes longer. */
const FILE_TIMEOUT_MS = 5 * 60_000;

/** What a call needs from the rest of the page; injected, so that this file has no other dependencies. */
interface Connection {
  readonly language: () => string;
  /** Called when the session has ended, or two-factor login must be set up first. */
  readonly onRefused: (code: string) => void;
}

let connection: Connection = { language: () => 'en', onRefused: () => {} };

export function connectApi(to: Connection) {
  connection = to;
}

/** Calls a route of the contract by name. Returns its body or throws an ApiError. */
export async function call<N extends RouteName>(name: N, sent: Sent<N> = {}): Promise<Answer<N>> {
  const response = await send(name, sent, 'application/json', TIMEOUT_MS);
  if (response.status === 204) return undefined as Answer<N>;
  // A truncated or rewritten answer counts as none.
  return response.json().catch(unreached);
}

/** Longer than the line that ends a file which is not the whole list. */
const LAST_LINE_BYTES = 1000;

/** A list as a file, from a cursor on; `next` is the cursor of the next part if the list is longer than a file may be. */
export async function fetchCsv<N extends RouteName>(
  name: N,
  query: Query<N>,
  cursor: string | undefined,
): Promise<{ file: Blob; next: string | undefined }> {
  const sent = { query: { ...query, ...(cursor !== undefined && { cursor }), excel: 1 } };
  const response = await send(name, sent as unknown as Sent<N>, 'text/csv', FILE_TIMEOUT_MS);
  const file = await response.blob().catch(unreached);
  const end = await file.slice(-LAST_LINE_BYTES).text();
  return { file, next: /\n"?# There are more rows: cursor=([^"\s]+)"?\r\n$/.exec(end)?.[1] };
}

async function send<N extends RouteName>(
  name: N,
  sent: Sent<N>,
  accept: string,
  timeout: number,
  solution?: string,
): Promise<Response> {
  const { body, query, params, file } = sent;
  const { method, path } = adminRoutes[name];
  const url = pathWith(path, params ?? {}, query ?? {});
  if (method !== 'GET') dropEarly();
  const early = accept === 'application/json' ? takeEarly(url) : undefined;
  const pending =
    early ??
    fetch(url, {
      method,
      headers: {
        accept,
        'accept-language': connection.language(),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(solution !== undefined && { 'x-challenge-solution': solution }),
        ...(file && { 'content-type': file.type }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(file && { body: file }),
      signal: AbortSignal.timeout(timeout),
    });
  const response = await pending.catch(unreached);
  if (response.ok) return response;
  const failure: Failure = await failureFrom(response);
  const solved = solution === undefined ? await solutionOf(failure) : null;
  if (solved !== null) return send(name, sent, accept, timeout, solved);
  if (failure.kind === 'refused') connection.onRefused(failure.problem.code);
  throw new ApiError(failure);
}

/** Loads the solver only when it is needed. */
async function solutionOf(failure: Failure): Promise<string | null> {
  const challenge = failure.kind === 'refused' ? failure.problem.challenge : undefined;
  if (typeof challenge !== 'object') return null;
  const { solveChallenge } = await import('@gatehouse/client/challenge');
  return solveChallenge(challenge).catch(() => null);
}

function unreached(): never {
  throw new ApiError({ kind: 'offline' });
}

export function pathWith(path: string, params: object, query: object): string {
  const given: Record<string, unknown> = { ...params };
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(given[name] ?? '')));
  const set = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(set.map(([name, value]) => [name, String(value)]));
  return set.length === 0 ? filled : `${filled}?${search}`;
}
