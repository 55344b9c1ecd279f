import type { JsonSchema } from '@gatehouse/contract';
import { seededRandom } from '@gatehouse/simulators/random';
import { Check } from 'typebox/value';
import { valuesFrom } from './values.ts';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema: JsonSchema;
}

interface Operation {
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>> }>
  >;
}

/** The parts of an OpenAPI document that requests are generated from and answers checked against. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: { readonly Problem: JsonSchema } };
}

export interface FuzzOptions {
  readonly url: string;
  readonly document: Document;
  readonly headers: Readonly<Record<string, string>>;
  readonly requests: number;
  readonly seed: number;
  /** Excludes paths that would end the session or its operator. */
  readonly leaveOut: (method: string, path: string) => boolean;
}

export interface FuzzResult {
  readonly statuses: Record<number, number>;
  /** Answers with 5xx or not as documented, with the request. */
  readonly faults: readonly string[];
}

const AT_ONCE = 8;
const MAX_FAULTS = 20;

/** Sends random requests generated from the document, and checks every answer against it. */
export async function fuzz({
  url,
  document,
  headers,
  requests,
  seed,
  leaveOut,
}: FuzzOptions): Promise<FuzzResult> {
  const random = seededRandom(seed);
  const { value, object, pick, chance } = valuesFrom(random);
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => !leaveOut(method.toUpperCase(), path))
      .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const statuses: Record<number, number> = {};
  const faults: string[] = [];

  function requestOf({ path, method, operation }: (typeof operations)[number]) {
    const given = (place: Parameter['in']) =>
      operation.parameters
        .filter((each) => each.in === place)
        .map(({ name, schema }) => [name, asText(value(schema))] as const);
    const target = given('path').reduce(
      (filled, [name, text]) => filled.replace(`{${name}}`, encodeURIComponent(wellFormed(text)) || '1'),
      path,
    );
    const query = new URLSearchParams(
      given('query')
        .filter(() => chance(0.6))
        .map(([name, text]) => [name, text]),
    );
    const schema = operation.requestBody?.content['application/json']?.schema;
    const body = schema ? JSON.stringify(chance(0.95) ? object(schema) : value({})) : undefined;
    return { target: `${target}?${query}`.replace(/\?$/, ''), method, body };
  }

  async function one(): Promise<void> {
    const operation = pick(operations);
    const { target, method, body } = requestOf(operation);
    const accept = chance(0.1) ? { accept: 'text/csv' } : {};
    const sent = `${method} ${target} ${JSON.stringify(accept)} ${body ?? ''}`;
    const found = await judge(operation.operation, url + target, {
      method,
      headers: { ...headers, ...accept, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body }),
    }).catch((error: Error) => `broke off: ${error.cause ?? error.message}`);
    if (found && faults.length < MAX_FAULTS) faults.push(`${sent}: ${found}`);
  }

  async function judge(operation: Operation, target: string, request: RequestInit) {
    const answer = await fetch(target, request);
    const text = await answer.text();
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    const fault = faultOf(document, operation, answer, text);
    return fault && `${fault}: ${text.slice(0, 300)}`;
  }

  let left = requests;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) await one();
    }),
  );
  return { statuses, faults };
}

const asText = (given: unknown) => (typeof given === 'string' ? given : JSON.stringify(given));
const wellFormed = (text: string) => text.toWellFormed();

function faultOf(
  document: Document,
  { responses }: Operation,
  answer: Response,
  text: string,
): string | undefined {
  if (answer.status >= 500) return `answered ${answer.status}`;
  const type = (answer.headers.get('content-type') ?? '').split(';')[0] ?? '';
  const declared = responses[answer.status];
  // Refusals before routing are not declared by a route.
  if (!declared && ![400, 404, 405].includes(answer.status)) return `status ${answer.status} is not declared`;
  if (answer.status >= 400) {
    if (type !== 'application/problem+json') return `a refusal of type ${type}`;
    return Check(document.components.schemas.Problem as never, JSON.parse(text))
      ? undefined
      : 'no problem of the document';
  }
  const content = declared?.content;
  if (!content) return text === '' ? undefined : 'a body where none is declared';
  const schema = content[type]?.schema;
  if (!schema) return `type ${type} is not declared`;
  if (type !== 'application/json') return undefined;
  return Check(schema as never, JSON.parse(text)) ? undefined : 'an answer that is not of the document';
}
