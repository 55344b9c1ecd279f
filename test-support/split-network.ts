import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { NodePlace } from './galera.ts';

/** Three network namespaces on a bridge in the namespace of this process, whose links can be cut. */
export type SplitNetwork = {
  readonly places: readonly NodePlace[];
  /** From now on nothing that one of these nodes sends to the other arrives; the other direction works. */
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
export function createSplitNetwork(): SplitNetwork {
  const id = randomBytes(3).toString('hex');
  const places = [1, 2, 3].map((index) => ({ namespace: `gh-${id}-${index}`, host: ADDRESS + index }));
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
  const neighbour = (from: number, to: number, ...how: string[]) =>
    ip('-n', placeOf(from).namespace, 'neigh', ...how, placeOf(to).host, 'dev', 'eth0');

  function cutOneWay(from: number, to: number): void {
    const [{ namespace }, { host }] = [placeOf(from), placeOf(to)];
    ip('-n', namespace, 'neigh', 'replace', host, 'lladdr', NOBODY, 'dev', 'eth0', 'nud', 'permanent');
  }
  return {
    places,
    cutOneWay,
    cut(one, other) {
      cutOneWay(one, other);
      cutOneWay(other, one);
    },
    heal() {
      for (const from of places.keys())
        for (const to of places.keys())
          try {
            if (from !== to) neighbour(from, to, 'del');
          } catch {
            // It was not cut and not known.
          }
    },
    close() {
      for (const { namespace } of places) ip('netns', 'del', namespace);
      ip('link', 'del', 'hub');
    },
  };
}
