import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type SqlBool, sql } from 'kysely';
import { type Galera, startGalera } from '../../../test-support/galera.ts';
import { createSplitNetwork, type SplitNetwork } from '../../../test-support/split-network.ts';
import { migrate } from '../../src/db/migrate.ts';
import { type Db, openDatabase } from '../../src/db/open.ts';
import { table } from './table.ts';

/**
 * Splits the network between three Galera nodes while one writer per node changes the same rows conditionally, as withdrawals do,
 * and reads all rows back from each node. Run it in a network namespace: `unshare --net node server/test/cluster/split.ts`.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '2' },
    seconds: { type: 'string', default: '6' },
    /** Changes rows without a condition: the run must report lost updates. */
    control: { type: 'boolean', default: false },
  },
});
const ROWS = 5;
const HEAL_TIMEOUT_MS = 60_000;

interface Tally {
  readonly acknowledged: Map<string, number>;
  readonly unknown: Map<string, number>;
  longestGapMs: number;
}

const splits: [name: string, cut: (network: SplitNetwork, node: number) => void][] = [
  ['healthy', () => {}],
  [
    'one node alone',
    (network, node) => {
      network.cut(node, (node + 1) % 3);
      network.cut(node, (node + 2) % 3);
    },
  ],
  [
    'one node heard by nobody',
    (network, node) => {
      network.cutOneWay(node, (node + 1) % 3);
      network.cutOneWay(node, (node + 2) % 3);
    },
  ],
  ['a node that sees half of the others', (network, node) => network.cut(node, (node + 1) % 3)],
  ['one link in one direction', (network, node) => network.cutOneWay(node, (node + 1) % 3)],
  [
    'every node alone',
    (network) => {
      for (const node of [0, 1, 2]) network.cut(node, (node + 1) % 3);
    },
  ],
];

/** Adds one to a row if it is unchanged since it was read, as fast as answers arrive. Each change has its own name. */
async function write(db: Db, tally: Tally, isOver: () => boolean): Promise<void> {
  let goodAt = performance.now();
  for (let turn = 0; !isOver(); turn++) {
    const name = `row${turn % ROWS}`;
    try {
      const row = await db.kysely
        .selectFrom('day_counter')
        .select('n')
        .where('name', '=', name)
        .where('day', '=', '-')
        .executeTakeFirstOrThrow();
      const changed = await change(db, name, row.n);
      if (changed) count(tally.acknowledged, name);
      tally.longestGapMs = Math.max(tally.longestGapMs, performance.now() - goodAt);
      goodAt = performance.now();
    } catch {
      count(tally.unknown, name);
      await sleep(50);
    }
  }
  tally.longestGapMs = Math.max(tally.longestGapMs, performance.now() - goodAt);
}

async function change(db: Db, name: string, n: number): Promise<boolean> {
  return db.transaction(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('day_counter')
      .set({ n: n + 1 })
      .where('name', '=', name)
      .where('day', '=', '-')
      .where(values.control ? sql<SqlBool>`1 = 1` : sql<SqlBool>`n = ${n}`)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) return false;
    await trx.insertInto('used_once').values({ kind: name, key: randomUUID(), expires_at: 1 }).execute();
    return true;
  });
}

const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);

async function judge(dbs: readonly Db[], tally: Tally) {
  const states = await Promise.all(
    dbs.map(async ({ kysely }) => ({
      counters: await kysely.selectFrom('day_counter').selectAll().orderBy('name').execute(),
      changes: await kysely
        .selectFrom('used_once')
        .select(['kind', ({ fn }) => fn.countAll<number>().as('n')])
        .groupBy('kind')
        .orderBy('kind')
        .execute(),
    })),
  );
  const [first] = states;
  let lost = 0;
  let doubled = 0;
  for (const { name, n } of first?.counters ?? []) {
    const recorded = Number(first?.changes.find(({ kind }) => kind === name)?.n ?? 0);
    const acknowledged = tally.acknowledged.get(name) ?? 0;
    // Each change adds one and records one: a lost update leaves the counter behind the records.
    lost += Math.max(0, recorded - n) + Math.max(0, acknowledged - n);
    doubled += Math.max(0, n - recorded) + Math.max(0, n - acknowledged - (tally.unknown.get(name) ?? 0));
  }
  const differing = states.filter((state) => JSON.stringify(state) !== JSON.stringify(first)).length;
  return { lost, doubled, differing };
}

async function play(galera: Galera, network: SplitNetwork, round: number, seconds: number) {
  const name = `split_${round}_${Date.now()}`;
  await galera.createDatabase(name);
  const dbs = await Promise.all(galera.nodes.map(({ url }) => openDatabase(`${url}/${name}`)));
  const [first] = dbs;
  if (first === undefined) throw new Error('there is no node');
  await migrate(first);
  for (let row = 0; row < ROWS; row++)
    await first.kysely
      .insertInto('day_counter')
      .values({ name: `row${row}`, day: '-', n: 0 })
      .execute();
  const rows: string[][] = [];
  const tally: Tally = { acknowledged: new Map(), unknown: new Map(), longestGapMs: 0 };
  let broken = 0;
  for (const [title, cut] of splits) {
    tally.longestGapMs = 0;
    const before = total(tally.acknowledged);
    const until = performance.now() + seconds * 1000;
    const gaps = dbs.map(() => ({ ...tally }));
    const writing = dbs.map((db, node) => write(db, gaps[node] ?? tally, () => performance.now() > until));
    await sleep(1000);
    cut(network, round % 3);
    await sleep((seconds * 1000) / 2);
    network.heal();
    await Promise.all(writing);
    const healed = await Promise.race([
      galera.synced().then(() => true),
      sleep(HEAL_TIMEOUT_MS, false, { ref: false }),
    ]);
    const verdict = await judge(dbs, tally);
    broken += verdict.lost + verdict.doubled + verdict.differing + (healed ? 0 : 1);
    rows.push([
      title,
      String(total(tally.acknowledged) - before),
      ...gaps.map(({ longestGapMs }) => (longestGapMs / 1000).toFixed(1)),
      healed ? 'yes' : 'NO',
      String(verdict.lost),
      String(verdict.doubled),
      String(verdict.differing),
    ]);
    console.error(rows.at(-1)?.join('  '));
  }
  await Promise.all(dbs.map((db) => db.close()));
  return { rows, broken };
}

const total = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((sum, n) => sum + n, 0);

const network = createSplitNetwork();
const galera = await startGalera(network.places);
let broken = 0;
const rows: string[][] = [];
try {
  for (let round = 0; round < Number(values.rounds); round++) {
    const played = await play(galera, network, round, Number(values.seconds));
    rows.push(...played.rows);
    broken += played.broken;
  }
} finally {
  await galera.killAll();
  network.close();
}
console.log('longest time in s without an answer, by node; updates lost or doubled, nodes that differ');
console.log(
  table([['split', 'updates', 'node 1', 'node 2', 'node 3', 'healed', 'lost', 'doubled', 'differ'], ...rows]),
);
console.log(broken === 0 ? 'nothing lost, nothing doubled' : 'BROKEN');
process.exit(broken === 0 ? 0 : 1);
