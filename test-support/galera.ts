import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  allowBootstrap,
  freeNodePorts,
  type NodePorts,
  nodeArgs,
  nodeEnvironment,
  nodeStatus,
  type Position,
  recoveredPosition,
  startPosition,
} from './galera-node.ts';
import { type Mariadb, startMariadb } from './mariadb.ts';
import { tempDir } from './process.ts';

export type Galera = {
  /** A node's `restart()` rejoins the cluster and resolves when the node is synced. */
  readonly nodes: readonly Mariadb[];
  /** mysql:// with every node's address, comma-separated. */
  url(database: string): string;
  /** Creates an empty database and returns its URL. */
  createDatabase(name: string): Promise<string>;
  /** Resolves when every node is in the group and synced. Restarts a node that has left the group. */
  synced(): Promise<void>;
  /** SIGKILL for every node at once, as in a power failure. */
  killAll(): Promise<void>;
  /** Restarts a cluster that is completely down, beginning with the most advanced node. */
  recover(): Promise<void>;
};

/** A network namespace for a node. */
export type NodePlace = { namespace: string; host: string };

/** Starts three real nodes on loopback, or each in its own network namespace. */
export async function startGalera(places: readonly NodePlace[] = []): Promise<Galera> {
  const members = await Promise.all([0, 1, 2].map((index) => freeNodePorts(places[index]?.host)));
  const password = randomBytes(12).toString('hex');
  const nodes: Mariadb[] = [];
  let founder: NodePorts | undefined = members[0];

  async function startNode(ports: NodePorts, name: string): Promise<Mariadb> {
    const folder = tempDir('galera');
    const dataDir = join(folder, 'data');
    return startMariadb({
      port: ports.port,
      host: ports.host,
      namespace: places.find(({ host }) => host === ports.host)?.namespace,
      dataDir,
      password,
      args: async () => [
        ...nodeArgs({ name, ports, members }),
        ...(founder === ports ? ['--wsrep-new-cluster'] : []),
        ...(await startPosition(dataDir)),
      ],
      env: nodeEnvironment(folder),
      ready: async (url) => (await nodeStatus(url)).isSynced,
    });
  }

  // One after another: a node can be copied only from one that has finished joining.
  for (const [index, ports] of members.entries()) nodes.push(await startNode(ports, `node${index + 1}`));
  founder = undefined;

  const url = (database: string) => {
    const hosts = members.map(({ host, port }) => `${host}:${port}`);
    return `mysql://gatehouse:${password}@${hosts.join(',')}/${database}`;
  };

  return {
    nodes,
    url,
    async createDatabase(name) {
      await nodes[0]?.createDatabase(name);
      return url(name);
    },
    async synced() {
      for (;;) {
        const views = await Promise.all(nodes.map(viewOf));
        if (views[0] !== undefined && views.every((view) => view === views[0])) return;
        await sleep(100);
      }
    },
    async killAll() {
      await Promise.all(nodes.map((node) => node.kill()));
    },
    async recover() {
      const first = await furthest(nodes);
      allowBootstrap(first.dataDir);
      founder = members.find(({ port }) => port === first.port);
      await first.restart();
      founder = undefined;
      for (const node of nodes) if (node !== first) await node.restart();
    },
  };
}

/**
 * Returns the node's view of the group, or undefined unless it is synced and sees every node. A resumed node reports the view from
 * before its suspension until it has learnt of its exclusion, so the views of all nodes must be compared.
 */
async function viewOf(node: Mariadb, _: number, { length }: readonly Mariadb[]): Promise<string | undefined> {
  const status = await nodeStatus(node.url).catch(() => undefined);
  if (status?.isConnected === false) await node.kill().then(node.restart);
  return status?.isSynced && status.size === length ? status.view : undefined;
}

/** Returns the node that has every write. A node without a position must not bootstrap: the others would lose their data. */
async function furthest(nodes: readonly Mariadb[]): Promise<Mariadb> {
  const positions = await Promise.all(
    nodes.map(async (node): Promise<Position & { node: Mariadb }> => {
      return { node, ...(await recoveredPosition(node.dataDir)) };
    }),
  );
  const known = positions.filter(({ seqno }) => seqno >= 0).toSorted((a, b) => b.seqno - a.seqno);
  const [best] = known;
  if (best === undefined) throw new Error('no node knows how far the cluster got');
  if (known.some(({ group }) => group !== best.group)) throw new Error('the nodes are not of one cluster');
  return best.node;
}
