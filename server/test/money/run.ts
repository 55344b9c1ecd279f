import {
  failpoints as allFailpoints,
  type Failpoint,
} from '../../src/features/withdraw/process/failpoints.ts';
import { startChaos } from './chaos.ts';
import { type Environment, startEnvironment } from './environment.ts';
import { type Instance, type Launch, launchNaive, launchService, startInstance } from './instances.ts';
import { judge, type Record, type Violations } from './judge.ts';
import { type FinalReply, runLoad } from './load.ts';
import { historyOf, settledRecordsOf } from './records.ts';

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
  readonly replies: number;
  readonly of: number;
  readonly kills: number;
}

export interface RunResult {
  readonly violations: Violations;
  readonly facts: { readonly [what: string]: number | string };
}

/** The fault run: load, kills and restarts, then the database is compared with what the zones really took. */
export async function runMoney(options: RunOptions): Promise<RunResult> {
  const { kind, withdrawals, roles, kills, processes = 3, seed = 1, onProgress } = options;
  const { failpoints = kind === 'gatehouse' ? allFailpoints : [] } = options;
  const started = performance.now();
  await using open = new AsyncDisposableStack();
  const environment = await startEnvironment({ roles, seed });
  open.defer(environment.close);
  const { launch, readyPath } = await kindOf(kind, environment);
  const instances = await Promise.all(
    Array.from({ length: processes }, () => startInstance(launch, readyPath)),
  );
  open.defer(async () => void (await Promise.all(instances.map((instance) => instance.kill()))));

  const replies: FinalReply[] = [];
  const accepted = new Set<string>();
  const chaos = startChaos({
    ...environment,
    instances,
    kills,
    failpoints,
    progress: () => replies.length / withdrawals,
  });
  const load = runLoad({
    players: environment.players,
    withdrawals,
    more: () => !chaos.isOver,
    urls: () => instances.filter(({ isUp }) => isUp).map(({ url }) => url),
    onFinalReply(each) {
      replies.push(each);
      onProgress?.({ replies: replies.length, of: withdrawals, kills: chaos.kills });
    },
    onAccepted: (id) => accepted.add(id),
  });
  await Promise.all([load, chaos.finished]);

  const duringFaults = environment.zones.flatMap((zone) => zone.requests.filter(isDeduction));
  environment.clearFaults();
  const records = await settledRecords(kind, environment, instances);
  const journal = environment.zones.flatMap((zone) => zone.journal());
  const balances = environment.zones.flatMap((zone) => zone.roles().map((role) => role.balance));
  const history =
    kind === 'gatehouse' ? await historyOf(environment.db) : { dayTotal: undefined, events: [] };
  const count = (state: string) => records.filter((record) => record.state === state).length;
  const faulty = duringFaults.filter(({ fault }) => fault !== 'ok').length;

  return {
    violations: judge({ records, journal, replies, accepted, balances, history }),
    facts: {
      withdrawals: replies.length,
      roles: environment.players.length,
      processes,
      'GM deductions requested': duringFaults.length,
      'faulty GM answers': `${((100 * faulty) / Math.max(1, duringFaults.length)).toFixed(1)} %`,
      'kill -9 at random moments': chaos.kills,
      'kill -9 at named failpoints': chaos.failpoints.length,
      'databases restarted or killed': chaos.restarts.length,
      done: count('done'),
      refused: count('refused'),
      failed: count('failed'),
      'currency taken': journal.reduce((sum, entry) => sum + (entry.deducted ? entry.amount : 0), 0),
      'redirects followed': environment.zones.reduce((sum, zone) => sum + zone.redirectsFollowed.length, 0),
      seconds: Math.round((performance.now() - started) / 1000),
    },
  };
}

const isDeduction = ({ params }: { params: Readonly<{ [name: string]: string }> }) =>
  params.operid === '10030';

async function kindOf(
  kind: RunOptions['kind'],
  environment: Environment,
): Promise<{ launch: Launch; readyPath: string }> {
  if (kind === 'gatehouse')
    return { launch: launchService(environment.settings), readyPath: '/api/health/ready' };
  await environment.accounts.execute(
    'CREATE TABLE money.naive_withdraw (seq INT AUTO_INCREMENT PRIMARY KEY, id VARCHAR(36), amount BIGINT, state VARCHAR(16))',
  );
  const gmUrls = Object.fromEntries(environment.zones.map((zone) => [zone.serverId, zone.gmUrl]));
  const launch = launchNaive({ database: environment.databaseUrl, games: environment.games.url, gmUrls });
  return { launch, readyPath: '/' };
}

/** Waits until recovery and receipts have settled what the faults left open. */
async function settledRecords(
  kind: RunOptions['kind'],
  { db, accounts }: Environment,
  instances: readonly Instance[],
): Promise<Record[]> {
  if (kind === 'naive')
    return (await accounts.execute('SELECT id, amount, state FROM money.naive_withdraw')) as Record[];
  await Promise.all(instances.filter(({ isUp }) => !isUp).map((instance) => instance.start()));
  return settledRecordsOf(db);
}
