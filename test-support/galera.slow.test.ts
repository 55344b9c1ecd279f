import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Galera, startGalera } from './galera.ts';
import type { Mariadb } from './mariadb.ts';

let cluster: Galera;
let nodes: [Mariadb, Mariadb, Mariadb];

beforeAll(async () => {
  cluster = await startGalera();
  nodes = cluster.nodes as typeof nodes;
  await cluster.createDatabase('shared');
  await nodes[0].execute('CREATE TABLE shared.t (n INT PRIMARY KEY)');
  // A write does not wait until its node has applied what others committed, as `rows` does.
  await Promise.all(nodes.map(rows));
});
afterAll(() => cluster?.killAll());

/** Waits until the node has applied what others committed. */
async function rows(node: Mariadb): Promise<number[]> {
  const answers = (await node.execute(
    'SET SESSION wsrep_sync_wait = 1; SELECT n FROM shared.t ORDER BY n',
  )) as { n: number }[][];
  return (answers[1] ?? []).map(({ n }) => n);
}

test('when a row is written on one node, then it is on every node, and the address names them all', async () => {
  await nodes[1].execute('INSERT INTO shared.t VALUES (1)');
  for (const node of nodes) expect(await rows(node)).toEqual([1]);
  expect(cluster.url('shared')).toMatch(/^mysql:\/\/gatehouse:\w+@127.*,127.*,127.0.0.1:\d+\/shared$/);
});

test('when a node is killed, then the others keep working, and it catches up when it returns', async () => {
  await nodes[0].kill();
  await nodes[1].execute('INSERT INTO shared.t VALUES (2)');
  await nodes[0].restart();
  expect(await rows(nodes[0])).toEqual([1, 2]);
});

test('when a node is suspended, then the others keep working, and it catches up when it resumes', async () => {
  nodes[2].freeze();
  await nodes[0].execute('INSERT INTO shared.t VALUES (3)');
  nodes[2].thaw();
  await cluster.synced();
  expect(await rows(nodes[2])).toEqual([1, 2, 3]);
});

test('when all nodes die at once, then the cluster comes back with every row', async () => {
  await nodes[1].stop();
  await nodes[2].execute('INSERT INTO shared.t VALUES (4)');
  await cluster.killAll();
  await cluster.recover();
  for (const node of nodes) expect(await rows(node)).toEqual([1, 2, 3, 4]);
});
