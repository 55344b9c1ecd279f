import type { PassedExchange } from '../../integrations/old-service.ts';

export const shadowRoutes = ['login', 'check'] as const;
export type ShadowRoute = (typeof shadowRoutes)[number];

/** A request that the old service received, and its answer. */
export type Exchange = PassedExchange;
type OldRequest = Exchange['request'];
type OldAnswer = Exchange['answer'];

/** The fields of a request under our names. */
export type Asked = Readonly<Partial<Record<FieldName, string>>>;

const fieldNames = ['account', 'password', 'token'] as const;
type FieldName = (typeof fieldNames)[number];
type Values = Readonly<Record<string, string>>;

/** How to read the requests and answers of an old service. */
export interface Dialect {
  routeOf(url: string): ShadowRoute | undefined;
  /** Returns undefined if the body is neither a form nor JSON. */
  asked(request: OldRequest): Asked | undefined;
  /** Reports whether the old service accepted the request. Returns undefined if the answer cannot be read. */
  isAccepted(answer: OldAnswer): boolean | undefined;
}

export interface DialectOptions {
  /** `login=/login.php,check=/api.php?do=check`. */
  readonly routes: string;
  /** `account=username,password=pass`. */
  readonly fields: string;
  /** `json:ret=0`, `text:ok` or `status:302`. */
  readonly accepted?: string | undefined;
  readonly decoder: TextDecoder;
}

export function createDialect({ routes, fields, accepted, decoder }: DialectOptions): Dialect {
  const places = [...parsePairs('--routes', routes, shadowRoutes)].map(([route, url]) => ({
    route,
    ...splitUrl(url),
  }));
  const names = new Map(parsePairs('--fields', fields, fieldNames));
  const isAccepted = acceptedBy(accepted, decoder);

  const valuesOf = (encoded: string): Values =>
    Object.fromEntries(
      encoded.split('&').map((pair) => {
        const [name = '', ...value] = pair.split('=');
        return [decodePercent(name, decoder), decodePercent(value.join('='), decoder)];
      }),
    );

  /** A place matches if the path is equal and the query has all its parameters. */
  function matches({ path, query }: { path: string; query: string }, url: string): boolean {
    const given = splitUrl(url);
    if (given.path !== path) return false;
    if (query === '') return true;
    const values = valuesOf(given.query);
    return Object.entries(valuesOf(query)).every(([name, value]) => values[name] === value);
  }

  function bodyValues({ type, body }: OldRequest): Values | undefined {
    if (body.length === 0) return {};
    if (/json/i.test(type)) return scalars(parseJson(decoder.decode(body)));
    return type === '' || /x-www-form-urlencoded/i.test(type) ? valuesOf(body.toString('latin1')) : undefined;
  }

  return {
    routeOf: (url) => places.find((place) => matches(place, url))?.route,
    asked(request) {
      const inBody = bodyValues(request);
      if (inBody === undefined) return undefined;
      const values = { ...valuesOf(splitUrl(request.url).query), ...inBody };
      const found = fieldNames.map((name) => [name, values[names.get(name) ?? name]] as const);
      return Object.fromEntries(found.filter(([, value]) => value !== undefined));
    },
    isAccepted,
  };
}

/** Parses `name=value,…` with known names. A name may have several values. */
function parsePairs<N extends string>(option: string, text: string, known: readonly N[]): [N, string][] {
  const parts = text.split(',').filter((part) => part.trim() !== '');
  return parts.map((part) => {
    const [name = '', ...rest] = part.trim().split('=');
    const value = rest.join('=');
    const found = known.find((each) => each === name);
    if (found === undefined || value === '')
      throw new Error(`${option} must be pairs NAME=VALUE with the names ${known.join(', ')}`);
    return [found, value];
  });
}

function splitUrl(url: string): { path: string; query: string } {
  const [path = '', ...query] = url.split('?');
  return { path, query: query.join('?') };
}

/** Decodes `%xx` and `+` byte by byte, because old pages also send GBK. */
function decodePercent(text: string, decoder: TextDecoder): string {
  const bytes = text
    .replaceAll('+', ' ')
    .replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return decoder.decode(Buffer.from(bytes, 'latin1'));
}

/** Returns the scalar members of an object as texts, as PHP compares them. */
function scalars(value: unknown): Values | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const texts = Object.entries(value).filter(([, each]) => typeof each !== 'object');
  return Object.fromEntries(texts.map(([name, each]) => [name, String(each)]));
}

/** Parses JSON, with or without a JSONP callback around it. */
function parseJson(text: string): unknown {
  const trimmed = text.trim();
  const callback = /^[\w$.]+\(/.exec(trimmed)?.[0];
  const end = trimmed.lastIndexOf(')');
  try {
    return JSON.parse(callback === undefined ? trimmed : trimmed.slice(callback.length, end));
  } catch {
    return undefined;
  }
}

function acceptedBy(rule: string | undefined, decoder: TextDecoder): Dialect['isAccepted'] {
  if (rule === undefined) return (answer) => acceptedByDefault(answer, decoder);
  const [, kind, expected = ''] = /^(json|text|status):(.+)$/s.exec(rule) ?? [];
  if (kind === 'status') return ({ status }) => String(status) === expected;
  if (kind === 'text') return ({ body }) => decoder.decode(body).trim() === expected;
  const [name = '', ...value] = expected.split('=');
  if (kind !== 'json' || value.length === 0)
    throw new Error('--accepted must be json:FIELD=VALUE, text:TEXT or status:NUMBER');
  return ({ body }) => {
    const given = scalars(parseJson(decoder.decode(body)));
    return given && given[name] === value.join('=');
  };
}

const NUMBERS = ['code', 'ret', 'result', 'errcode'];
const FLAGS = ['success', 'valid', 'ok'];

/** A 4xx status is a refusal. Otherwise the JSON decides by its usual members; an answer without any cannot be read. */
function acceptedByDefault({ status, body }: OldAnswer, decoder: TextDecoder): boolean | undefined {
  if (status >= 400 && status < 500) return false;
  const given = scalars(parseJson(decoder.decode(body)));
  if (status < 200 || status > 299 || given === undefined) return undefined;
  const decisive = [
    ...NUMBERS.filter((name) => name in given).map((name) => given[name] === '0'),
    ...FLAGS.filter((name) => name in given).map((name) => given[name] === 'true' || given[name] === '1'),
  ];
  return decisive.length === 0 ? undefined : decisive.every((each) => each);
}
