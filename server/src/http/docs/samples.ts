import type { JsonSchema, Route } from '@gatehouse/contract';
import { exampleOf } from './schema.ts';

const pretty = (value: unknown) => JSON.stringify(value, null, 2);

/** An example request of a route, from which the samples are made. */
export interface SampleRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly answer: AnswerKind;
}

/** How a program reads the answer. A browser navigates to a route that redirects. */
type AnswerKind = 'json' | 'text' | 'nothing' | 'redirect';

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
      ...(exampleOf((route.headers ?? { type: 'object' }) as JsonSchema) as Record<string, string>),
    },
    body: body && exampleOf(body as JsonSchema),
    answer: answerOf(route),
  };
}

function answerOf({ answers }: Route): AnswerKind {
  const [status = '', answer] = Object.entries(answers)[0] ?? [];
  if (status.startsWith('3')) return 'redirect';
  if (answer?.schema) return 'json';
  return answer?.mediaType === undefined ? 'nothing' : 'text';
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

export function typescriptSample({ url, method, headers, body, answer }: SampleRequest): string {
  if (answer === 'redirect') return `location.assign('${url}');`;
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(Object.keys(headers).length > 0 ? [`  headers: ${JSON.stringify(headers)},`] : []),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${pretty(body).replaceAll('\n', '\n  ')}),`]),
  ];
  const init = options.length > 0 ? `, {\n${options.join('\n')}\n}` : '';
  const read = answer === 'nothing' ? '' : `\nconst answer = await response.${answer}();`;
  return `const response = await fetch('${url}'${init});
if (!response.ok) throw await response.json(); // { code, detail, … }${read}`;
}
