import { isIPv4, isIPv6, SocketAddress } from 'node:net';

/** IPv4 addresses are kept as IPv4-mapped IPv6, so that one ordering serves both families and mapped spellings are equal. */
const V4_BASE = 0xffffn << 32n;
const V4_LAST = V4_BASE | 0xffffffffn;

function parseV4(text: string): bigint {
  return V4_BASE | BigInt(text.split('.').reduce((value, octet) => value * 256 + Number(octet), 0));
}

function parseV6(text: string): bigint {
  const dotted = text.slice(text.lastIndexOf(':') + 1);
  const tail = dotted.includes('.') ? parseV4(dotted) & 0xffffffffn : undefined;
  const hex =
    tail === undefined
      ? text
      : `${text.slice(0, -dotted.length)}${(tail >> 16n).toString(16)}:${(tail & 0xffffn).toString(16)}`;
  const [head = '', rest] = hex.split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':'));
  const left = groups(head);
  const right = groups(rest ?? '');
  const zeros = Array<string>(8 - left.length - right.length).fill('0');
  return [...left, ...zeros, ...right].reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n);
}

function withoutInterface(text: string): string {
  const end = text.indexOf('%');
  return end === -1 ? text : text.slice(0, end);
}

/** Returns the 128-bit value of an address, or undefined if it is not one. */
export function parseAddress(text: string): bigint | undefined {
  if (isIPv4(text)) return parseV4(text);
  // A link-local address may name an interface (`fe80::1%eth0`), which is not part of the address.
  if (isIPv6(text)) return parseV6(withoutInterface(text));
  return undefined;
}

const isV4 = (value: bigint) => value >= V4_BASE && value <= V4_LAST;

/** Returns the canonical spelling: dotted for IPv4 and IPv4-mapped, compressed lower case for IPv6. */
export function canonicalAddress(text: string): string | undefined {
  if (isIPv4(text)) return text;
  const value = parseAddress(text);
  if (value === undefined) return undefined;
  if (!isV4(value)) return new SocketAddress({ address: withoutInterface(text), family: 'ipv6' }).address;
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.');
}

/** Returns the key that throttles count by. A client owns a whole IPv6 /64, so the lower half is ignored. */
export function networkOf(address: string): string {
  if (isIPv4(address)) return address;
  const value = parseAddress(address);
  return value === undefined || isV4(value) ? address : `${(value >> 64n).toString(16)}::/64`;
}

/** Reports whether the owner has been at the address before. */
export function isUsualAddress(
  owner: { readonly usualAddresses: readonly string[] } | undefined,
  address: string,
): boolean {
  const network = networkOf(address);
  return owner?.usualAddresses.some((known) => networkOf(known) === network) ?? false;
}

/**
 * Returns the /24 or /64 around an address, which one caller can easily own, in CIDR notation. Undefined if it is not an
 * address.
 */
export function blockOf(address: string): string | undefined {
  if (isIPv4(address)) return `${address.slice(0, address.lastIndexOf('.'))}.0/24`;
  const value = parseAddress(address);
  if (value === undefined) return undefined;
  const network = (value >> 64n).toString(16).padStart(16, '0');
  const groups = [0, 4, 8, 12].map((start) =>
    Number.parseInt(network.slice(start, start + 4), 16).toString(16),
  );
  while (groups.at(-1) === '0') groups.pop();
  return `${groups.join(':')}::/64`;
}

type Range = readonly [first: bigint, last: bigint];

function parseBlock(address: string, prefix: string): Range | undefined {
  const value = parseAddress(address);
  const width = isIPv4(address) ? 32 : 128;
  if (value === undefined || !/^\d{1,3}$/.test(prefix) || Number(prefix) > width) return undefined;
  const hostBits = BigInt(width - Number(prefix));
  const first = (value >> hostBits) << hostBits;
  return [first, first | ((1n << hostBits) - 1n)];
}

function parseRange(from: string, to: string): Range | undefined {
  const first = parseAddress(from);
  const last = parseAddress(to);
  if (first === undefined || last === undefined || first > last || isV4(first) !== isV4(last))
    return undefined;
  return [first, last];
}

/** Parses an address, a CIDR block or a range `a-b`. Returns undefined if it is none of them. */
export function parseAddressEntry(entry: string): Range | undefined {
  const text = entry.trim();
  // Refuse interface names: the entry would apply to every interface.
  if (text.includes('%')) return undefined;
  const slash = text.indexOf('/');
  if (slash > 0) return parseBlock(text.slice(0, slash), text.slice(slash + 1));
  const dash = text.indexOf('-');
  if (dash > 0) return parseRange(text.slice(0, dash).trim(), text.slice(dash + 1).trim());
  const value = parseAddress(text);
  return value === undefined ? undefined : [value, value];
}

export interface AddressList {
  has(address: string): boolean;
}

/** The origin of a request, from the connection and trusted proxies. */
export interface Caller {
  readonly address: string;
  /**
   * Whether the address is the caller's own: the connection's, or reported by a trusted proxy. Only then may an address grant
   * an implicit privilege, as loopback does.
   */
  readonly direct: boolean;
}

const MAX_CACHED = 10_000;

/** Caches results: callers come back, and parsing an address costs more than a lookup. */
function cached(matches: (address: string) => boolean): AddressList {
  const results = new Map<string, boolean>();
  return {
    has(address) {
      let result = results.get(address);
      if (result === undefined) {
        result = matches(address);
        if (results.size === MAX_CACHED) results.clear();
        results.set(address, result);
      }
      return result;
    },
  };
}

/** Builds a binary search over merged ranges: ten thousand blocks cost a microsecond. The settings have validated the entries. */
export function addressList(entries: readonly string[]): AddressList {
  const merged: [bigint, bigint][] = [];
  const ranges = entries.map(parseAddressEntry).filter((range) => range !== undefined);
  for (const [first, last] of ranges.sort((a, b) => (a[0] < b[0] ? -1 : 1))) {
    const previous = merged.at(-1);
    if (previous && first <= previous[1] + 1n) previous[1] = last > previous[1] ? last : previous[1];
    else merged.push([first, last]);
  }
  if (merged.length === 0) return { has: () => false };

  return cached((address) => {
    const value = parseAddress(address);
    if (value === undefined) return false;
    let low = 0;
    let high = merged.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const range = merged[middle];
      if (range === undefined) return false;
      if (value < range[0]) high = middle - 1;
      else if (value > range[1]) low = middle + 1;
      else return true;
    }
    return false;
  });
}

export const loopback = addressList(['127.0.0.0/8', '::1']);
