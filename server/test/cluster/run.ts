import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '@gatehouse/simulators/random';
import { createCallers } from './callers.ts';
import { createClient } from './client.ts';
import { deploy, type Variant } from './deployment.ts';
import type { Fault } from './fault.ts';
import { openJournal, readTallies } from './journal.ts';
import { judgeWrites } from './judge.ts';
import { type Caller, startLoad } from './load.ts';
import { type MemorySample, watchMemory } from './memory.ts';
import { judgeMoney } from './money.ts';
import type { Parts } from './parts.ts';
import { type CompletedRequest, failuresIn, type Kind, type Outcome, type Window } from './timeline.ts';
import { createWithdrawals } from './withdrawals.ts';

export interface RunOptions {
  readonly parts: Parts;
  readonly variant?: Variant;
  readonly plan: readonly Fault[];
  /** Arrivals per second. */
  readonly rates: Partial<Record<Kind, number>>;
  readonly seed: number;
  /** Folder for the journal and the logs. */
  readonly folder: string;
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  readonly injected: number;
  readonly of: number;
  readonly fault: string;
  readonly acknowledged: number;
  readonly failed: number;
}

export interface RunResult {
  readonly requests: readonly CompletedRequest[];
  readonly windows: readonly Window[];
  readonly memory: readonly MemorySample[];
  readonly acknowledged: number;
  readonly crashes: number;
  /** Each must be 0, regardless of the run's length and speed. */
  readonly violations: Readonly<Record<string, number>>;
}

/**
 * What two cores can sustain next to everything else running there.
 * A registration needs two answers, of which a broken one of three instances refuses a third each; at 2/s chance alone makes gaps of over 3 s.
 */
export const rates: Record<Kind, number> = {
  login: 10,
  check: 15,
  list: 15,
  enter: 15,
  chat: 45,
  register: 6,
  withdraw: 5,
};

const ROLES = 80;
/** A window opens this long before its fault, and the next one this long after it closed, so that each has its own requests. */
const LEAD_MS = 500;
const COOLDOWN_MS = 1000;
const SETTLE_TIMEOUT_MS = 120_000;

/** The fault run: constant load and one fault after another, then the database is compared with what was acknowledged. */
export async function runCluster(options: RunOptions): Promise<RunResult> {
  const { parts, variant = 'gatehouse', plan, rates, seed, folder, onProgress } = options;
  const random = seededRandom(seed);
  await using open = new AsyncDisposableStack();
  const deployment = await deploy({ parts, variant, roles: rates.withdraw === undefined ? 0 : ROLES });
  open.defer(deployment.close);
  const { services, players, database, databaseUrl } = deployment;
  const client = createClient(deployment.port);
  open.defer(client.close);
  const journalFile = join(folder, `${variant}.jsonl`);
  const journal = openJournal(journalFile);
  open.defer(journal.close);
  const withdrawals = createWithdrawals({ client, journal, players, random });
  const callers: Record<Kind, Caller> = {
    ...createCallers({ client, journal, mail: parts.mail, players, zones: parts.zones.length, random }),
    withdraw: withdrawals.request,
  };

  const requests: CompletedRequest[] = [];
  const windows: Window[] = [];
  const load = startLoad({ callers, rates, onCompleted: (request) => requests.push(request) });
  const memory = watchMemory(services, load.now);
  const reportProgress = (fault: string) =>
    onProgress?.({
      injected: windows.length,
      of: plan.length,
      fault,
      acknowledged: journal.acknowledgements,
      failed: requests.filter(({ outcome }) => outcome !== 'ok').length,
    });

  for (const fault of plan) {
    await sleep(LEAD_MS);
    reportProgress(fault.name);
    const from = load.now();
    await sleep(LEAD_MS);
    await fault.inject({ parts, deployment, random });
    await Promise.all([deployment.healthy(), parts.galera.synced()]);
    await sleep(COOLDOWN_MS);
    windows.push({ fault: fault.name, from, to: load.now() });
    // None of these may fail, and the next fault may break those that are still waiting.
    if (fault.isRoutine) await load.answered();
  }
  reportProgress('');
  await load.stop();
  memory.stop();
  await withdrawals.allAnswered(SETTLE_TIMEOUT_MS);
  const money =
    rates.withdraw === undefined
      ? {}
      : await judgeMoney({ databaseUrl, zones: parts.zones, replies: withdrawals.replies, journalFile });
  // No writes from here on.
  await Promise.all(services.map((service) => service.stop()));
  services.forEach((service, index) => {
    writeFileSync(join(folder, `${variant}-${index + 1}.log`), service.output());
  });
  const losses = await judgeWrites({
    nodes: parts.galera.nodes,
    database,
    tallies: readTallies(journalFile),
  });
  const routine = new Set(plan.filter(({ isRoutine }) => isRoutine).map(({ name }) => name));
  const count = (outcome: Outcome) => requests.filter((each) => each.outcome === outcome).length;

  return {
    requests,
    windows,
    memory: memory.samples,
    acknowledged: journal.acknowledgements,
    crashes: deployment.crashes,
    violations: {
      ...losses,
      ...money,
      'wrong answers': count('wrong'),
      'errors that are not the uniform problem': count('unclean'),
      'failed requests during routine work': windows
        .filter(({ fault }) => routine.has(fault))
        .flatMap((window) => failuresIn(requests, window)).length,
    },
  };
}
