import type { TSchema } from 'typebox';
import { Refusal } from '../refusal.ts';

type Fields = Record<string, unknown>;

interface Shape {
  readonly type?: string;
  readonly properties?: Record<string, Shape>;
  readonly anyOf?: readonly Shape[];
}

function decode(text: string, field: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new Refusal('invalid_request', { variant: 'text', errors: [{ field, message: 'wellformed' }] });
  }
}

/** Reads `a=1&b=2` strictly: bad percent signs and text that is not UTF-8 are refused, a name given twice becomes a list. */
export function parseUrlEncoded(text: string): Fields {
  const fields: Fields = Object.create(null);
  if (text === '') return fields;
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const end = pair.indexOf('=');
    const name = decode(end === -1 ? pair : pair.slice(0, end), 'query');
    const value = end === -1 ? '' : decode(pair.slice(end + 1), name);
    const given = fields[name];
    if (Array.isArray(given)) given.push(value);
    else fields[name] = given === undefined ? value : [given, value];
  }
  return fields;
}

const INTEGER = /^-?(0|[1-9]\d{0,15})$/;

/** Which fields of a query or form are numbers, found once per route. */
function integerFields(schema: Shape): Set<string> {
  const names = Object.entries(schema.properties ?? {}).filter(([, field]) => field.type === 'integer');
  const nested = (schema.anyOf ?? []).flatMap((branch) => [...integerFields(branch)]);
  return new Set([...names.map(([name]) => name), ...nested]);
}

/** Text carries no types: turns the fields that the schema calls integers into integers, and nothing else. */
export function textParser(schema: TSchema): (fields: Fields) => Fields {
  const integers = integerFields(schema as Shape);
  return (fields) => {
    for (const name of integers) {
      const value = fields[name];
      if (typeof value === 'string' && INTEGER.test(value)) fields[name] = Number(value);
    }
    return fields;
  };
}
