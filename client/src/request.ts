import { errorFrom, GatehouseError } from './error.ts';

/** One call to the service. */
export interface Call {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** The answer is text, not JSON. */
  readonly text?: true | undefined;
}

export interface CallOptions {
  /** Ends the call; it fails with `aborted`. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until the call fails with `timeout`, including a proof of work. */
  readonly timeout?: number | undefined;
}

/** A row of the tables in contract/. */
export interface RouteRow {
  readonly method: string;
  readonly path: string;
  readonly body?: true;
  /** The answer is text, not JSON. */
  readonly text?: true;
  /** Fields that go into the query although there is a body. */
  readonly query?: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Distributes the fields of a call over path, query and body. */
export function place(route: RouteRow, input: Fields = {}): { path: string; body: string | undefined } {
  const left = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = left.get(name);
    left.delete(name);
    return encodeURIComponent(String(value));
  });
  const isQuery = (name: string) => !route.body || route.query?.includes(name);
  const params = new URLSearchParams();
  const body: Record<string, unknown> = {};
  for (const [name, value] of left)
    if (isQuery(name)) params.set(name, String(value));
    else body[name] = value;
  const query = params.toString();
  return {
    path: query === '' ? path : `${path}?${query}`,
    body: route.body && JSON.stringify(body),
  };
}

/** Runs a call with a bounded wait. If it is refused, calls `again` for the headers of a second try. */
export async function run(
  call: Call,
  { signal, timeout = 30_000 }: CallOptions,
  again: (error: GatehouseError, signal: AbortSignal) => Promise<Record<string, string> | null>,
): Promise<unknown> {
  const ending = new AbortController();
  const abort = () => ending.abort('aborted');
  const timer = setTimeout(() => ending.abort('timeout'), timeout);
  signal?.addEventListener('abort', abort);
  if (signal?.aborted) abort();
  try {
    return await send(call, ending.signal).catch(async (error) => {
      const headers = error instanceof GatehouseError ? await again(error, ending.signal) : null;
      if (!headers) throw error;
      return send({ ...call, headers: { ...call.headers, ...headers } }, ending.signal);
    });
  } catch (error) {
    if (ending.signal.aborted) throw new GatehouseError(ending.signal.reason, { cause: error });
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

async function send({ url, method, headers, body, text }: Call, signal: AbortSignal): Promise<unknown> {
  let response: Response;
  try {
    // The service redirects no call: a password or token goes nowhere else.
    response = await fetch(url, { method, headers, body: body ?? null, redirect: 'error', signal });
  } catch (cause) {
    throw new GatehouseError('unreachable', { cause });
  }
  if (!response.ok) throw await errorFrom(response);
  try {
    const answer = await response.text();
    if (text) return answer;
    return answer === '' ? undefined : JSON.parse(answer);
  } catch (cause) {
    // A truncated answer counts as none.
    throw new GatehouseError('unreachable', { status: response.status, cause });
  }
}
