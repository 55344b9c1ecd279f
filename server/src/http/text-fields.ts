import type { Route } from '@gatehouse/contract';
import type { TSchema } from 'typebox';
import { Refusal } from '../refusal.ts';

type Fields = Record<string, unknown>;

interface Shape {
  readonly type?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly required?: readonly string[];
  readonly properties?: Record<string, Shape>;
  readonly anyOf?: readonly Shape[];
}

function decode(text: string, field: string): string {
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '));
    if (!decoded.includes('\0')) return decoded;
  } catch {
    // Refused below, like NUL.
  }
  throw new Refusal('invalid_request', { variant: 'text', errors: [{ field, message: 'wellformed' }] });
}

function decodePair(pair: string): readonly [name: string, value: string] {
  const end = pair.indexOf('=');
  const name = decode(end === -1 ? pair : pair.slice(0, end), 'query');
  return [name, end === -1 ? '' : decode(pair.slice(end + 1), name)];
}

/** Replaces what cannot be decoded with U+FFFD. */
function decodeLeniently(pair: string): readonly [name: string, value: string] {
  const [decoded = ['', ''] as const] = new URLSearchParams(pair);
  return decoded;
}

interface Reading {
  /** Another site wrote the text: it is decoded leniently. */
  readonly foreign?: boolean | undefined;
  /** The fields to read. Others are skipped without decoding them. */
  readonly only?: readonly string[] | undefined;
}

/** Parses `a=1&b=2` strictly: refuses bad percent signs and text that is not UTF-8; a repeated name becomes a list. */
export function parseUrlEncoded(text: string, { foreign, only }: Reading = {}): Fields {
  const fields: Fields = Object.create(null);
  if (text === '') return fields;
  for (const pair of text.split('&')) {
    if (pair === '' || only?.includes(decodeLeniently(pair)[0]) === false) continue;
    const [name, value] = foreign ? decodeLeniently(pair) : decodePair(pair);
    const given = fields[name];
    if (Array.isArray(given)) given.push(value);
    else fields[name] = given === undefined ? value : [given, value];
  }
  return fields;
}

const INTEGER = /^-?(0|[1-9]\d{0,15})$/;

/** Finds the integer fields of a query or form, once per route. */
function integerFields(schema: Shape): Set<string> {
  const names = Object.entries(schema.properties ?? {}).filter(([, field]) => field.type === 'integer');
  const nested = (schema.anyOf ?? []).flatMap((branch) => [...integerFields(branch)]);
  return new Set([...names.map(([name]) => name), ...nested]);
}

/** Returns the fields of a query or form that the route reads; undefined if it refuses others. */
export function fieldsToRead({ ignoreUnknownText }: Route, schema: TSchema): readonly string[] | undefined {
  return ignoreUnknownText && Object.keys((schema as Shape).properties ?? {});
}

/** Converts the fields that the schema declares as integers. Text carries no types. */
export function textParser(
  schema: TSchema,
  { ignoreUnknownText }: Pick<Route, 'ignoreUnknownText'> = {},
): (fields: Fields) => Fields {
  const integers = integerFields(schema as Shape);
  const { properties = {}, required = [] } = schema as Shape;
  return (fields) => {
    for (const name of integers) {
      const value = fields[name];
      if (typeof value === 'string' && INTEGER.test(value)) fields[name] = Number(value);
      // Old callers may have a field of this name that means something else.
      if (ignoreUnknownText && !required.includes(name) && !isWithin(properties[name], fields[name]))
        delete fields[name];
    }
    return fields;
  };
}

function isWithin({ minimum = -Infinity, maximum = Infinity }: Shape = {}, value: unknown): boolean {
  return typeof value === 'number' && value >= minimum && value <= maximum;
}
