import { lookup as lookupName } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { addressList, parseAddressEntry } from '../security/addresses.ts';

/** Link-local addresses, also through NAT64, and the metadata services of clouds, which hand out credentials. */
const never = addressList([
  '169.254.0.0/16',
  'fe80::/10',
  '64:ff9b::a9fe:0/112',
  '100.100.100.200',
  'fd00:ec2::254',
  'fd20:ce::254',
]);

/** Thrown for a host that a zone may not name. */
export class HostNotAllowed extends Error {}

/** Which hosts the addresses of zones may name. Judges what a name resolves to, so that no name leads around it. */
export interface AllowedHosts {
  /** For `net.connect`, which does not call it for hosts that are addresses: see `refuseAddress`. */
  readonly lookup: LookupFunction;
  /** Throws for a host that is an address and not allowed. */
  refuseAddress(host: string): void;
}

/** Names and addresses, blocks or ranges; if there are none, every host but those above. */
export function allowedHosts(entries: readonly string[]): AllowedHosts {
  const names = new Set(entries.map((entry) => entry.trim().toLowerCase()));
  const listed = addressList(entries.filter((entry) => parseAddressEntry(entry) !== undefined));

  function faultOf(host: string, addresses: readonly string[]): Error | undefined {
    const isNamed = entries.length === 0 || names.has(host.toLowerCase());
    const isAllowed = (address: string) => listed.has(address) || (isNamed && !never.has(address));
    return addresses.every(isAllowed)
      ? undefined
      : new HostNotAllowed(`${host} is not in zones.allowed_hosts`);
  }

  function refuseAddress(host: string): void {
    const fault = isIP(host) === 0 ? undefined : faultOf(host, [host]);
    if (fault) throw fault;
  }

  return {
    refuseAddress,
    lookup(host, options, callback) {
      lookupName(host, { ...options, all: true }, (error, found = []) => {
        const addresses = found.map(({ address }) => address);
        const fault = error ?? faultOf(host, addresses);
        const [first] = found;
        if (fault) callback(fault, [], 0);
        else if (options.all) callback(null, found);
        else callback(null, first?.address ?? '', first?.family);
      });
    },
  };
}
