import { createHmac, timingSafeEqual } from 'node:crypto';

/** Hex HMAC-SHA256 over the sorted `key=value` pairs, before URL encoding and without `sign`. */
export function signGm(params: Readonly<Record<string, string>>, key: string): string {
  const pairs = Object.keys(params)
    .filter((name) => name !== 'sign')
    .sort()
    .map((name) => `${name}=${params[name]}`);
  return createHmac('sha256', key).update(pairs.join('&')).digest('hex');
}

export function isSigned(params: Readonly<Record<string, string>>, key: string): boolean {
  const expected = Buffer.from(signGm(params, key));
  const given = Buffer.from(params.sign ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
