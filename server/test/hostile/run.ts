import { attack } from './attackers.ts';
import { sendMixed } from './connection.ts';
import { type KnownPlayer, type MixedRequest, mixedRequests } from './requests.ts';

export interface HostileRun {
  readonly port: number;
  readonly players: readonly KnownPlayer[];
  readonly zones: readonly number[];
  readonly random: () => number;
  /** Number of requests whose answers are checked. */
  readonly requests: number;
  /** Concurrent connections that send them, and that attack. */
  readonly connections: number;
  readonly attackers: number;
  readonly onProgress?: (answered: number) => void;
}

export interface HostileResult {
  answered: number;
  attacks: number;
  readonly faults: string[];
}

const MAX_PIPELINED = 64;
const MAX_BATCHES = 4;
const MAX_FAULTS = 20;

/** Runs many callers at once. Each well-behaved one must get its own answers, in order. */
export async function runHostile(run: HostileRun): Promise<HostileResult> {
  const { port, players, random, requests, connections, attackers } = run;
  const result: HostileResult = { answered: 0, attacks: 0, faults: [] };
  const next = mixedRequests(run);
  const secrets = players.flatMap(({ account, token }) => [`"${account}"`, token]);
  const report = (faults: readonly string[]) =>
    result.faults.push(...faults.slice(0, MAX_FAULTS - result.faults.length));
  let left = requests;

  const callers = Array.from({ length: connections }, async () => {
    while (left > 0 && result.faults.length < MAX_FAULTS) {
      const batches: MixedRequest[][] = [];
      for (let more = 1 + random() * MAX_BATCHES; more >= 1 && left > 0; more--) {
        const count = Math.min(left, 1 + Math.floor(random() * MAX_PIPELINED));
        left -= count;
        batches.push(Array.from({ length: count }, next));
      }
      report(await sendMixed({ port, random, batches }));
      result.answered += batches.flat().length;
      run.onProgress?.(result.answered);
    }
  });
  const attacking = Array.from({ length: attackers }, async () => {
    do {
      report(await attack({ port, random, secrets }));
      result.attacks++;
    } while (left > 0 && result.faults.length < MAX_FAULTS);
  });
  await Promise.all([...callers, ...attacking]);
  return result;
}
