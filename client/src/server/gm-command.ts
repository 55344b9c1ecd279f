import { createHmac, timingSafeEqual } from 'node:crypto';
import { GatehouseError } from '../error.ts';

type Params = Readonly<Record<string, string>>;

export interface GmSignature {
  /** As the operator's `gm.signature_version`: 1 signs values as they are, 2 escapes names and values. Never accept both. */
  readonly version?: 1 | 2;
  /** Name of the parameter with the signature. */
  readonly name?: string;
  /** Parameters that the operator put into `gm_url`; they are not signed. */
  readonly unsigned?: readonly string[];
}

/** Returns the signature of a GM command: hex HMAC-SHA256 over its parameters, sorted by name. */
export function signGmCommand(params: Params, key: string, version: 1 | 2 = 1): string {
  const written = version === 1 ? (text: string) => text : escaped;
  const pairs = Object.keys(params)
    .sort()
    .map((name) => `${written(name)}=${written(params[name] ?? '')}`);
  return createHmac('sha256', key).update(pairs.join('&')).digest('hex');
}

/**
 * Returns the signed parameters of a GM command, decoded. Throws a GatehouseError `invalid_signature` if they are not signed with
 * the key, or if one occurs twice; its `message` has the reason. Takes the query of a GET or the form of a POST.
 */
export function verifyGmCommand(
  query: string | URLSearchParams,
  key: string,
  { version = 1, name = 'sign', unsigned = [] }: GmSignature = {},
): Record<string, string> {
  const pairs = [...new URLSearchParams(query)].filter(([each]) => !unsigned.includes(each));
  const { [name]: signature = '', ...params } = Object.fromEntries(pairs);
  const isOnce = pairs.length === new Set(pairs.map(([each]) => each)).size;
  if (key === '') throw invalidSignature('the key is empty');
  if (!isOnce) throw invalidSignature('a parameter occurs twice');
  if (signature === '') throw invalidSignature(`the parameter ${name} is missing`);
  if (!isEqual(signature, signGmCommand(params, key, version)))
    throw invalidSignature(`${name} does not match; compare the key and the signature version ${version}`);
  return params;
}

/** Returns the error of a forged request. The reason is for the log, not for the sender. */
export const invalidSignature = (detail: string) => new GatehouseError('invalid_signature', { detail });

/** Compares in constant time. */
export function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Percent-encoding of RFC 3986: all but letters, digits, `-`, `.`, `_` and `~`. */
function escaped(text: string): string {
  const hex = (char: string) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text.toWellFormed()).replace(/[!'()*]/g, hex);
}
