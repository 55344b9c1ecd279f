import { AdminProblem, Problem, type Route, refusals, routes } from '@gatehouse/contract';
import { adminRoutes } from '@gatehouse/contract/admin';
import { Check } from 'typebox/value';
import { codesOf } from '../../src/http/docs/openapi.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
  readonly text: string;
}

export interface Client {
  get(path: string, options?: RequestOptions): Promise<Reply>;
  post(path: string, body?: unknown, options?: RequestOptions): Promise<Reply>;
  form(path: string, fields: Record<string, string>, options?: RequestOptions): Promise<Reply>;
  send(method: string, path: string, options?: RequestOptions & { body?: string | Buffer }): Promise<Reply>;
}

export interface RequestOptions {
  readonly token?: string;
  readonly headers?: Record<string, string>;
}

/** Sends requests from this address, through a proxy on loopback, and checks every answer against the contract. */
export function clientFrom(url: string, address: string): Client {
  async function send(
    method: string,
    path: string,
    options: RequestOptions & { body?: string | Buffer } = {},
  ): Promise<Reply> {
    const headers = {
      'x-forwarded-for': address,
      'accept-language': 'en',
      ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
      ...options.headers,
    };
    const answer = await fetch(url + path, {
      method,
      headers,
      redirect: 'manual',
      ...(options.body !== undefined && { body: options.body }),
    });
    const text = await answer.text();
    const reply = { status: answer.status, headers: answer.headers, text, body: parse(answer, text) };
    assertContract(method, path, reply);
    return reply;
  }
  const json = { 'content-type': 'application/json' };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  return {
    send,
    get: (path, options) => send('GET', path, options),
    post: (path, body, options = {}) =>
      send('POST', path, {
        ...options,
        headers: { ...json, ...options.headers },
        body: JSON.stringify(body ?? {}),
      }),
    form: (path, fields, options = {}) =>
      send('POST', path, {
        ...options,
        headers: { ...form, ...options.headers },
        body: new URLSearchParams(fields).toString(),
      }),
  };
}

const everyRoute = [...Object.values<Route>(routes), ...Object.values<Route>(adminRoutes)];

function parse(answer: Response, text: string): unknown {
  return /json/.test(answer.headers.get('content-type') ?? '') && text !== '' ? JSON.parse(text) : undefined;
}

/** Checks that every refusal is a well-formed problem that the route declares, and every success is as declared by the route. */
function assertContract(method: string, path: string, { status, headers, body, text }: Reply): void {
  if (!headers.get('x-request-id')) throw new Error(`${method} ${path}: no X-Request-Id`);
  if (headers.get('x-content-type-options') !== 'nosniff') throw new Error(`${method} ${path}: no nosniff`);
  const route = everyRoute.find((each) => each.method === method && matches(each.path, path));
  const isFile = headers.get('content-type')?.startsWith('text/csv');
  const schema = isFile ? undefined : route?.answers[status]?.schema;
  if (schema) {
    if (!Check(schema, body))
      throw new Error(`${method} ${path} answered ${status} with ${text}, which is not in the contract`);
    return;
  }
  if (status < 400 || method === 'HEAD') return;
  // Settings may retire any path, and hide the operators' routes.
  const isThere = body?.code !== 'gone' && !(body?.code === 'not_found' && path.startsWith('/api/admin/'));
  if (route && isThere && !codesOf(route).some((code) => refusals[code] === status))
    throw new Error(
      `${method} ${path} answered ${status}, which the OpenAPI document does not have: ${text}`,
    );
  const uniform =
    Check(path.startsWith('/api/admin/') ? AdminProblem : Problem, body) &&
    body.status === status &&
    body.request_id === headers.get('x-request-id');
  if (!uniform || !headers.get('content-type')?.startsWith('application/problem+json')) {
    throw new Error(`${method} ${path} answered ${status} with ${text}, which is no uniform problem`);
  }
}

function matches(pattern: string, path: string): boolean {
  return new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}$`).test(path.split('?')[0] ?? path);
}
