import { isIPv6 } from 'node:net';

const MASK = '***';
const QUERY = /([?&][^=?&#]*=)([^&#]*)/g;

/**
 * Replaces the password and the query values, where GM interfaces take their keys, with `***`. Works on text instead of a
 * parsed URL: cluster addresses name several hosts, and a password may hold unescaped characters.
 */
export function maskUrl(url: string): string {
  return url
    .replace(/^([\w+.-]+:\/\/)(?:([^:@/?#]*):)?.*@/s, (_, scheme: string, user: string | undefined) =>
      user === undefined ? `${scheme}${MASK}@` : `${scheme}${user}:${MASK}@`,
    )
    .replace(QUERY, `$1${MASK}`);
}

/**
 * Restores the values behind `***` in a masked URL that was sent back, perhaps with another path. Returns undefined if they
 * cannot be determined, above all for another host, which must not get the password of this one.
 */
export function unmaskUrl(given: string, known: string | null): string | undefined {
  if (!given.includes(MASK)) return given;
  if (known !== null && given === maskUrl(known)) return known;
  const [to, from] = [partsOf(given), partsOf(known ?? '')];
  if (partsOf(maskUrl(known ?? '')).authority !== to.authority) return undefined;
  const values = new Map([...from.rest.matchAll(QUERY)].map(([, name, value]) => [name?.slice(1), value]));
  const rest = to.rest.replace(QUERY, (whole, name: string, value: string) =>
    value === MASK ? `${name}${values.get(name.slice(1)) ?? MASK}` : whole,
  );
  return rest.includes(MASK) ? undefined : from.authority + rest;
}

/** Splits a URL into scheme, credentials and hosts, and the rest. A password may hold any character, so the last `@` ends it. */
function partsOf(url: string): { authority: string; rest: string } {
  const [authority = ''] = /^[\w+.-]+:\/\/(?:.*@)?[^/?#]*/s.exec(url) ?? [];
  return { authority, rest: url.slice(authority.length) };
}

/** Masks as `a***@example.com`, for operators who may not see full e-mail addresses. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return at < 1 ? email && '***' : `${email.slice(0, 1)}***${email.slice(at)}`;
}

/** Masks as `203.0.113.*` and `2001:db8:*`. */
export function maskAddress(address: string): string {
  if (isIPv6(address)) return `${address.split(':').slice(0, 2).join(':')}:*`;
  const end = address.lastIndexOf('.');
  return end === -1 ? address && '*' : `${address.slice(0, end)}.*`;
}

const MAX_SHOWN_ID = 40;

/** Cuts an id that another service chose to characters that cannot form a link or a sentence in a mail. */
export function plainId(id: string): string {
  const plain = id.replace(/[^\w.@-]/g, '').slice(0, MAX_SHOWN_ID);
  return plain === id ? id : `${plain}…`;
}
