import { type LookupAddress, type LookupAllOptions, lookup as lookupName } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { addressList, parseAddressEntry } from '../security/addresses.ts';

/** Link-local addresses, also through NAT64 or 6to4, and the metadata services of clouds, which hand out credentials. */
const never = addressList([
  '169.254.0.0/16',
  'fe80::/10',
  '64:ff9b::a9fe:0/112',
  '2002:a9fe::/32',
  '::ffff:0:a9fe:0/112',
  '100.100.100.200',
  '168.63.129.16',
  'fd00:ec2::254',
  'fd20:ce::254',
]);

/** Loopback, private, shared, multicast and reserved addresses, and the IPv6 forms that embed an IPv4 address. */
const notPublic = addressList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/3',
  '::/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2001::/32',
  '2002::/16',
  'fc00::/7',
  'fec0::/10',
  'ff00::/8',
]);

/** Which hosts may be contacted. Judges the addresses that a name resolves to, so that a name cannot bypass the check. */
export interface AllowedHosts {
  /** For `net.connect`, which does not call it for hosts that are addresses: see `refuseAddress`. */
  readonly lookup: LookupFunction;
  /** Throws for a host that is an address and not allowed. */
  refuseAddress(host: string): void;
  /** Resolves the host, and rejects if it is not allowed. */
  require(host: string): Promise<void>;
}

/** Thrown for a host that may not be contacted. */
export class HostNotAllowed extends Error {}

type Resolve = (
  host: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

/**
 * Allows these names, addresses, blocks and ranges; if there are none, every host except those above. Used for the addresses of
 * zones.
 */
export function allowedHosts(entries: readonly string[]): AllowedHosts {
  const names = new Set(entries.map((entry) => entry.trim().toLowerCase()));
  const listed = addressList(entries.filter((entry) => parseAddressEntry(entry) !== undefined));
  const allowsAll = entries.length === 0;
  const fault = `${allowsAll ? 'is a link-local or metadata address and ' : ''}is not in zones.allowed_hosts`;
  return judgedHosts(fault, (address, host) => {
    const isNamed = allowsAll || names.has(host.toLowerCase());
    return listed.has(address) || (isNamed && !never.has(address));
  });
}

/** Allows hosts on the public internet, private ones, or both. Link-local and metadata addresses count as neither. */
export function publicHosts(
  allowed: { readonly public: boolean; readonly private: boolean },
  resolve?: Resolve,
): AllowedHosts {
  return judgedHosts(
    `has an address that is ${allowed.public ? 'not public' : 'not private'}`,
    (address) => !never.has(address) && (notPublic.has(address) ? allowed.private : allowed.public),
    resolve,
  );
}

/**
 * Shares one lookup among concurrent requests for a name. Node looks names up on two threads, and a silent name server blocks one
 * for ten seconds: each name blocks one at most, and no queue grows.
 */
export function sharedLookup(resolve: Resolve): Resolve {
  const waiting = new Map<string, Parameters<Resolve>[2][]>();
  return (host, options, callback) => {
    const key = JSON.stringify([host, options]);
    const others = waiting.get(key);
    if (others) {
      others.push(callback);
      return;
    }
    const callbacks = [callback];
    waiting.set(key, callbacks);
    resolve(host, options, (error, found) => {
      waiting.delete(key);
      for (const each of callbacks) each(error, found);
    });
  };
}

const lookupShared = sharedLookup(lookupName);

function judgedHosts(
  fault: string,
  isAllowed: (address: string, host: string) => boolean,
  resolve: Resolve = lookupShared,
): AllowedHosts {
  const faultOf = (host: string, addresses: readonly string[]) =>
    addresses.every((address) => isAllowed(address, host))
      ? undefined
      : new HostNotAllowed(`${host} ${fault}`);

  function refuseAddress(host: string): void {
    const fault = isIP(host) === 0 ? undefined : faultOf(host, [host]);
    if (fault) throw fault;
  }

  const lookup: LookupFunction = (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, found = []) => {
      const addresses = found.map(({ address }) => address);
      const fault = error ?? faultOf(host, addresses);
      const [first] = found;
      if (fault) callback(fault, [], 0);
      else if (options.all) callback(null, found);
      else callback(null, first?.address ?? '', first?.family);
    });
  };

  return {
    refuseAddress,
    lookup,
    async require(host) {
      refuseAddress(host);
      await new Promise<void>((done, failed) =>
        lookup(host, { all: true }, (error) => (error ? failed(error) : done())),
      );
    },
  };
}
