import { REDIS_HOST } from '../../../test-support/redis-sentinel.ts';
import type { SplitNetwork } from '../../../test-support/split-network.ts';
import { type Fault, type FaultContext, randomOf, single, sleepBetween } from './fault.ts';
import { firstInstancePlace } from './parts.ts';

/** Places on the network. */
const nodes = [0, 1, 2];
const instances = nodes.map((place) => firstInstancePlace + place);
/** The node that every instance prefers. */
const PREFERRED = 0;

/** Cuts links of the network: packets are lost, and no connection is closed. */
export const networkFaults: readonly Fault[] = [
  partition('database node cut off', (network, context) => {
    const node = randomOf(context, nodes);
    for (const other of nodes.filter((each) => each !== node)) network.cut(node, other);
  }),
  partition('database node heard by nobody', (network, context) => {
    const node = randomOf(context, nodes);
    for (const other of nodes.filter((each) => each !== node)) network.cutOneWay(node, other);
  }),
  partition('two database nodes cut from each other', (network, context) => {
    const node = randomOf(context, nodes);
    network.cut(node, (node + 1) % nodes.length);
  }),
  partition('service cut from its database node', (network, context) =>
    network.cut(randomOf(context, instances), PREFERRED),
  ),
  partition('service cut from all database nodes', (network, context) => {
    const instance = randomOf(context, instances);
    for (const node of nodes) network.cut(instance, node);
  }),
  partition('service cut from Redis', (network, context) =>
    network.cutFromAddress(randomOf(context, instances), REDIS_HOST),
  ),
  partition('service cut from nginx', (network, context) =>
    network.cutFromAddress(randomOf(context, instances), network.hub),
  ),
];

function partition(name: string, cut: (network: SplitNetwork, context: FaultContext) => void): Fault {
  const inject = async (context: FaultContext) => {
    const { network } = context.parts;
    if (network === undefined) throw new Error('there is no network whose links could be cut');
    cut(network, context);
    await sleepBetween(context, 3000, 6000);
    network.heal();
  };
  return { ...single(name, inject), isPartition: true, requires: 'network' };
}
