import type { Mariadb } from '../../../test-bench/mariadb.ts';
import type { Tally, Write } from './journal.ts';

/** Each is a write that was promised and not kept, or kept and not asked for; all must be 0. */
export interface Losses {
  readonly 'chat records lost': number;
  readonly 'chat records doubled': number;
  readonly 'chat records nobody sent': number;
  readonly 'players lost': number;
  readonly 'players doubled': number;
  readonly 'registrations counted less players': number;
  readonly 'entries lost': number;
  readonly 'entries doubled': number;
  readonly 'tables that differ between nodes': number;
}

type Counts = ReadonlyMap<string, number>;

/** Compares what the journal holds with what each node of the database holds. */
export async function judgeWrites(options: {
  nodes: readonly Mariadb[];
  database: string;
  tallies: Record<Write, Tally>;
}): Promise<Losses> {
  const { nodes, database, tallies } = options;
  const perNode = await Promise.all(nodes.map((node) => judgeNode(node, database, tallies)));
  const worst = (name: keyof Omit<Losses, 'tables that differ between nodes'>) =>
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
    'tables that differ between nodes': await differingTables(nodes, database),
  };
}

async function judgeNode(
  node: Mariadb,
  database: string,
  tallies: Record<Write, Tally>,
): Promise<Omit<Losses, 'tables that differ between nodes'>> {
  const read = async (sql: string): Promise<Counts> => {
    const rows = (await node.execute(`USE ${database}; ${sql}`)) as { id: string; n: number }[][];
    return new Map((rows[1] ?? []).map(({ id, n }) => [id, Number(n)]));
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

/** Fewer than were acknowledged. */
function lost(tally: Tally, kept: Counts): number {
  return sum([...tally].map(([id, { acknowledged }]) => acknowledged - (kept.get(id) ?? 0)));
}

/** More than were ever sent. */
function doubled(tally: Tally, kept: Counts): number {
  return sum([...tally].map(([id, { sent }]) => (kept.get(id) ?? 0) - sent));
}

function sum(shortfalls: readonly number[]): number {
  return shortfalls.reduce((total, each) => total + Math.max(0, each), 0);
}

/** Row by row: a checksum covers every value of every row. */
async function differingTables(nodes: readonly Mariadb[], database: string): Promise<number> {
  const checksums = await Promise.all(nodes.map((node) => tableChecksums(node, database)));
  const [first = new Map<string, string>(), ...others] = checksums;
  return [...first].filter(([table, value]) => others.some((other) => other.get(table) !== value)).length;
}

async function tableChecksums(node: Mariadb, database: string): Promise<Map<string, string>> {
  const names = (await node.execute(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = '${database}'`,
  )) as { name: string }[];
  const tables = names.map(({ name }) => `${database}.${name}`).join(', ');
  const rows = (await node.execute(`SET SESSION wsrep_sync_wait = 1; CHECKSUM TABLE ${tables} EXTENDED`)) as {
    Table: string;
    Checksum: number;
  }[][];
  return new Map((rows[1] ?? []).map(({ Table, Checksum }) => [Table, String(Checksum)]));
}
