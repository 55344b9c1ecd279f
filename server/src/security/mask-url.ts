const MASK = '***';
const QUERY = /([?&][^=?&#]*=)([^&#]*)/g;

/**
 * An address that people may read: `***` for its password and for the values of its query, where GM interfaces take their keys.
 * By text, not by URL: addresses of a cluster name several hosts, and a password may hold characters that should be escaped.
 */
export function maskUrl(url: string): string {
  return url
    .replace(/^([\w+.-]+:\/\/)(?:([^:@/?#]*):)?.*@/s, (_, scheme: string, user: string | undefined) =>
      user === undefined ? `${scheme}${MASK}@` : `${scheme}${user}:${MASK}@`,
    )
    .replace(QUERY, `$1${MASK}`);
}

/**
 * An address that was masked and sent back, perhaps with another path, with what `***` stands for in the one we have. Undefined
 * where that cannot be told: above all for another host, which must not be handed the password of this one.
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

/** The scheme, who logs in where; and the rest. A password may hold any character, so the last `@` ends it. */
function partsOf(url: string): { authority: string; rest: string } {
  const [authority = ''] = /^[\w+.-]+:\/\/(?:.*@)?[^/?#]*/s.exec(url) ?? [];
  return { authority, rest: url.slice(authority.length) };
}
