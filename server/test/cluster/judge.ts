import type { Mariadb } from '../../../test-support/mariadb.ts';
import type { Tally, Write } from './journal.ts';

/** Acknowledged writes that were lost, or writes that were not requested; all must be 0. */
export interface Losses {
  readonly 'chat records lost': number;
  readonly 'chat records doubled': number;
  readonly 'chat records nobody sent': number;
  readonly 'players lost': number;
  readonly 'players doubled': number;
  readonly 'registrations counted less players': number;
  readonly 'entries lost': number;
  readonly 'entries doubled': number;
  readonly 'rows that differ between nodes': number;
}

type Counts = ReadonlyMap<string, number>;

/** Compares the journal with each node of the database. */
export async function judgeWrites(options: {
  nodes: readonly Mariadb[];
  database: string;
  tallies: Record<Write, Tally>;
}): Promise<Losses> {
  const { nodes, database, tallies } = options;
  const perNode = await Promise.all(nodes.map((node) => judgeNode(node, database, tallies)));
  const worst = (name: keyof Omit<Losses, 'rows that differ between nodes'>) =>
    Math.max(...perNode.map((losses) => losses[name]));
  return {
    'chat records lost': worst('chat records lost'),
    'chat records doubled': worst('chat records doubled'),
    'chat records nobody sent': worst('chat records nobody sent'),
    'players lost': worst('players lost'),
    'players doubled': worst('players doubled'),
    'registrations counted less players': worst('registrations counted less players'),
    'entries lost': worst('entries lost'),
    'entries doubled': worst('entries doubled'),
    'rows that differ between nodes': await differingRows(nodes, database),
  };
}

async function judgeNode(
  node: Mariadb,
  database: string,
  tallies: Record<Write, Tally>,
): Promise<Omit<Losses, 'rows that differ between nodes'>> {
  const read = async (sql: string): Promise<Counts> => {
    const rows = (await node.execute(`USE ${database}; SET SESSION wsrep_sync_wait = 1; ${sql}`)) as {
      id: string;
      n: number;
    }[][];
    return new Map((rows[2] ?? []).map(({ id, n }) => [id, Number(n)]));
  };
  const chat = await read('SELECT content AS id, COUNT(*) AS n FROM chat GROUP BY content');
  const players = await read(
    "SELECT account AS id, COUNT(*) AS n FROM player WHERE account LIKE 'new!_%' ESCAPE '!' GROUP BY account",
  );
  const entries = await read('SELECT account AS id, login_count AS n FROM player');
  const counted = await read('SELECT name AS id, SUM(n) AS n FROM day_counter GROUP BY name');
  return {
    'chat records lost': lost(tallies.chat, chat),
    'chat records doubled': doubled(tallies.chat, chat),
    'chat records nobody sent': [...chat.keys()].filter((text) => !tallies.chat.has(text)).length,
    'players lost': lost(tallies.register, players),
    'players doubled': doubled(tallies.register, players),
    'registrations counted less players': Math.abs((counted.get('registrations') ?? 0) - players.size),
    'entries lost': lost(tallies.enter, entries),
    'entries doubled': doubled(tallies.enter, entries),
  };
}

/** Counts missing writes: fewer than acknowledged. */
function lost(tally: Tally, kept: Counts): number {
  return sum([...tally].map(([id, { acknowledged }]) => acknowledged - (kept.get(id) ?? 0)));
}

/** Counts duplicates: more than were sent. */
function doubled(tally: Tally, kept: Counts): number {
  return sum([...tally].map(([id, { sent }]) => (kept.get(id) ?? 0) - sent));
}

function sum(shortfalls: readonly number[]): number {
  return shortfalls.reduce((total, each) => total + Math.max(0, each), 0);
}

/**
 * Counts rows that differ between nodes. Compares the rows themselves, because CHECKSUM TABLE over several tables was seen to
 * give two values for the same rows.
 */
async function differingRows(nodes: readonly Mariadb[], database: string): Promise<number> {
  let differing = 0;
  for (const table of await tablesOf(nodes, database)) {
    const holders = new Map<string, number>();
    for (const node of nodes)
      for (const row of await rowsOf(node, `${database}.${table}`))
        holders.set(row, (holders.get(row) ?? 0) + 1);
    differing += [...holders.values()].filter((count) => count % nodes.length !== 0).length;
  }
  return differing;
}

async function tablesOf(nodes: readonly Mariadb[], database: string): Promise<Set<string>> {
  const sql = `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = '${database}'`;
  const perNode = await Promise.all(nodes.map((node) => node.execute(sql) as Promise<{ name: string }[]>));
  return new Set(perNode.flat().map(({ name }) => name));
}

/** Waits until the node has caught up. */
async function rowsOf(node: Mariadb, table: string): Promise<string[]> {
  const answers = (await node.execute(
    `SET SESSION wsrep_sync_wait = 1; SELECT * FROM ${table}`,
  )) as object[][];
  return (answers[1] ?? []).map((row) => JSON.stringify(row));
}
