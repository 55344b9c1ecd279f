import type { JsonSchema, Route } from '@gatehouse/contract';
import { exampleOf } from './schema.ts';

const pretty = (value: unknown) => JSON.stringify(value, null, 2);

/** An example request of a route, from which the samples are made. */
export interface SampleRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export function sampleOf(route: Route, publicUrl: string): SampleRequest {
  const { method, auth, body, upload } = route;
  const params = exampleOf((route.params ?? { type: 'object' }) as JsonSchema) as Record<string, unknown>;
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => String(params[name] ?? 1));
  const required = requiredOf((route.query ?? {}) as JsonSchema);
  const query = required.length > 0 ? `?${new URLSearchParams(required)}` : '';
  const credential = auth === 'operator' ? 'ghk_…' : 'TOKEN';
  return {
    url: new URL(path + query, publicUrl).href,
    method,
    headers: {
      ...(auth === 'player' || (auth === 'operator' && route.permission !== undefined)
        ? { authorization: `Bearer ${credential}` }
        : {}),
      ...(body && { 'content-type': 'application/json' }),
      ...(upload && { 'content-type': upload[0] ?? '' }),
    },
    body: body && exampleOf(body as JsonSchema),
  };
}

function requiredOf({ properties = {}, required = [] }: JsonSchema): [string, string][] {
  return required.map((name) => [name, String(exampleOf(properties[name] ?? {}, name))]);
}

export function curlSample({ url, method, headers, body }: SampleRequest): string {
  const isJson = body !== undefined;
  const parts = [
    `curl ${quoted(url)}`,
    ...(method !== 'GET' && !(isJson && method === 'POST') ? [`-X ${method}`] : []),
    ...Object.entries(headers)
      .filter(([name]) => !(isJson && name === 'content-type'))
      .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(isJson ? [`--json ${quoted(JSON.stringify(body))}`] : []),
  ];
  return parts.join(' \\\n  ');
}

/** Single quotes for a POSIX shell. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

export function typescriptSample({ url, method, headers, body }: SampleRequest): string {
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(Object.keys(headers).length > 0 ? [`  headers: ${JSON.stringify(headers)},`] : []),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${pretty(body).replaceAll('\n', '\n  ')}),`]),
  ];
  const init = options.length > 0 ? `, {\n${options.join('\n')}\n}` : '';
  return `const response = await fetch('${url}'${init});
if (!response.ok) throw await response.json(); // { code, detail, … }
const answer = await response.json();`;
}
