import {
  failpoints as allFailpoints,
  type Failpoint,
} from '../../src/features/withdraw/process/failpoints.ts';
import { startChaos } from './chaos.ts';
import { type Instance, type Launch, launchNaive, launchService, startInstance } from './instances.ts';
import { judge, type Record, type Violations } from './judge.ts';
import { putLoadOn, type Told } from './load.ts';
import { historyOf, settledRecordsOf } from './records.ts';
import { openWorld, type World } from './world.ts';

export interface RunOptions {
  readonly kind: 'gatehouse' | 'naive';
  readonly withdrawals: number;
  readonly roles: number;
  readonly kills: number;
  readonly failpoints?: readonly Failpoint[];
  readonly processes?: number;
  readonly seed?: number;
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  readonly told: number;
  readonly of: number;
  readonly kills: number;
}

export interface RunResult {
  readonly violations: Violations;
  readonly facts: { readonly [what: string]: number | string };
}

/** The fault run: load, kills, restarts, then the database is compared with what the zones really took. */
export async function runMoney(options: RunOptions): Promise<RunResult> {
  const { kind, withdrawals, roles, kills, processes = 3, seed = 1, onProgress } = options;
  const { failpoints = kind === 'gatehouse' ? allFailpoints : [] } = options;
  const started = performance.now();
  await using open = new AsyncDisposableStack();
  const world = await openWorld({ roles, seed });
  open.defer(world.close);
  const { launch, readyPath } = await kindOf(kind, world);
  const instances = await Promise.all(
    Array.from({ length: processes }, () => startInstance(launch, readyPath)),
  );
  open.defer(async () => void (await Promise.all(instances.map((instance) => instance.kill()))));

  const told: Told[] = [];
  const accepted = new Set<string>();
  const chaos = startChaos({
    ...world,
    instances,
    kills,
    failpoints,
    progress: () => told.length / withdrawals,
  });
  const load = putLoadOn({
    players: world.players,
    withdrawals,
    more: () => !chaos.isOver,
    urls: () => instances.filter(({ isUp }) => isUp).map(({ url }) => url),
    onTold(each) {
      told.push(each);
      onProgress?.({ told: told.length, of: withdrawals, kills: chaos.kills });
    },
    onAccepted: (id) => accepted.add(id),
  });
  await Promise.all([load, chaos.finished]);

  const duringFaults = world.zones.flatMap((zone) => zone.requests.filter(isDeduction));
  world.heal();
  const records = await settledRecords(kind, world, instances);
  const journal = world.zones.flatMap((zone) => zone.journal());
  const balances = world.zones.flatMap((zone) => zone.roles().map((role) => role.balance));
  const history = kind === 'gatehouse' ? await historyOf(world.db) : { dayTotal: undefined, events: [] };
  const count = (state: string) => records.filter((record) => record.state === state).length;
  const faulty = duringFaults.filter(({ fault }) => fault !== 'ok').length;

  return {
    violations: judge({ records, journal, told, accepted, balances, history }),
    facts: {
      withdrawals: told.length,
      roles: world.players.length,
      processes,
      'GM deductions asked': duringFaults.length,
      'faulty GM answers': `${((100 * faulty) / Math.max(1, duringFaults.length)).toFixed(1)} %`,
      'kill -9 at random moments': chaos.kills,
      'kill -9 at named failpoints': chaos.failpoints.length,
      'databases restarted or killed': chaos.restarts.length,
      done: count('done'),
      refused: count('refused'),
      failed: count('failed'),
      'currency taken': journal.reduce((sum, entry) => sum + (entry.deducted ? entry.amount : 0), 0),
      'redirects followed': world.zones.reduce((sum, zone) => sum + zone.redirectsFollowed.length, 0),
      seconds: Math.round((performance.now() - started) / 1000),
    },
  };
}

const isDeduction = ({ params }: { params: Readonly<{ [name: string]: string }> }) =>
  params.operid === '10030';

async function kindOf(
  kind: RunOptions['kind'],
  world: World,
): Promise<{ launch: Launch; readyPath: string }> {
  if (kind === 'gatehouse') return { launch: launchService(world.settings), readyPath: '/api/health/ready' };
  await world.accounts.execute(
    'CREATE TABLE money.naive_withdraw (seq INT AUTO_INCREMENT PRIMARY KEY, id VARCHAR(36), amount BIGINT, state VARCHAR(16))',
  );
  const gmUrls = Object.fromEntries(world.zones.map((zone) => [zone.serverId, zone.gmUrl]));
  const launch = launchNaive({ database: world.databaseUrl, games: world.games.url, gmUrls });
  return { launch, readyPath: '/' };
}

/** Waits until recovery and receipts have settled what the faults left open. */
async function settledRecords(
  kind: RunOptions['kind'],
  { db, accounts }: World,
  instances: readonly Instance[],
): Promise<Record[]> {
  if (kind === 'naive')
    return (await accounts.execute('SELECT id, amount, state FROM money.naive_withdraw')) as Record[];
  await Promise.all(instances.filter(({ isUp }) => !isUp).map((instance) => instance.start()));
  return settledRecordsOf(db);
}
