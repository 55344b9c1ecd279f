import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { NodePlace } from './galera.ts';

/** Network namespaces on a bridge in the namespace of this process, whose links can be cut. */
export type SplitNetwork = {
  /** The address of this process on the network. */
  readonly hub: string;
  readonly places: readonly NodePlace[];
  /** Lets programs in this place reach servers on the loopback addresses of this process. They have no loopback of their own. */
  shareLoopback(place: number): void;
  /** From now on nothing that this place sends to the address arrives. */
  cutFromAddress(place: number, address: string): void;
  /** From now on nothing that one of these places sends to the other arrives; the other direction works. */
  cutOneWay(from: number, to: number): void;
  cut(one: number, other: number): void;
  heal(): void;
  close(): void;
};

const ADDRESS = '10.213.0.';
const HUB = `${ADDRESS}254`;
/** An address that no interface has: the bridge forwards the frame to all, and none accepts it. */
const NOBODY = '02:00:00:00:00:99';

const ip = (...args: string[]) => execFileSync('ip', args, { stdio: ['ignore', 'pipe', 'pipe'] });

/** Needs root and its own network namespace, so that nothing else is on this network. */
export function createSplitNetwork(count = 3): SplitNetwork {
  const id = randomBytes(3).toString('hex');
  const places = Array.from({ length: count }, (_, index) => ({
    namespace: `gh-${id}-${index + 1}`,
    host: `${ADDRESS}${index + 1}`,
  }));
  ip('link', 'set', 'lo', 'up');
  ip('link', 'add', 'hub', 'type', 'bridge');
  ip('addr', 'add', `${HUB}/24`, 'dev', 'hub');
  ip('link', 'set', 'hub', 'up');
  for (const [index, { namespace, host }] of places.entries()) {
    const inside = ['-n', namespace];
    ip('netns', 'add', namespace);
    ip('link', 'add', `port${index}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
    ip('link', 'set', `port${index}`, 'master', 'hub', 'up');
    ip(...inside, 'addr', 'add', `${host}/24`, 'dev', 'eth0');
    ip(...inside, 'link', 'set', 'eth0', 'up');
    ip(...inside, 'link', 'set', 'lo', 'up');
  }
  const placeOf = (index: number) => places[index] ?? places[0] ?? { namespace: '', host: '' };
  const cuts = new Map<string, { namespace: string; address: string }>();

  function cutFromAddress(place: number, address: string): void {
    const { namespace } = placeOf(place);
    ip('-n', namespace, 'neigh', 'replace', address, 'lladdr', NOBODY, 'dev', 'eth0', 'nud', 'permanent');
    cuts.set(`${namespace} ${address}`, { namespace, address });
  }
  const cutOneWay = (from: number, to: number) => cutFromAddress(from, placeOf(to).host);
  return {
    hub: HUB,
    places,
    shareLoopback(place) {
      const { namespace, host } = placeOf(place);
      ip('-n', namespace, 'addr', 'del', '127.0.0.1/8', 'dev', 'lo');
      routeLoopback('hub');
      routeLoopback('eth0', namespace);
      ip('-n', namespace, 'route', 'add', '127.0.0.0/8', 'dev', 'eth0', 'src', host);
    },
    cutFromAddress,
    cutOneWay,
    cut(one, other) {
      cutOneWay(one, other);
      cutOneWay(other, one);
    },
    heal() {
      for (const { namespace, address } of cuts.values())
        ip('-n', namespace, 'neigh', 'del', address, 'dev', 'eth0');
      cuts.clear();
    },
    close() {
      for (const { namespace } of places) ip('netns', 'del', namespace);
      ip('link', 'del', 'hub');
    },
  };
}

/** Lets the interface carry packets from and to loopback addresses, which the kernel otherwise drops. */
function routeLoopback(device: string, namespace?: string): void {
  const command = ['sh', '-c', `echo 1 > /proc/sys/net/ipv4/conf/${device}/route_localnet`];
  const line = namespace === undefined ? command : ['ip', 'netns', 'exec', namespace, ...command];
  execFileSync(line[0] ?? '', line.slice(1));
}
