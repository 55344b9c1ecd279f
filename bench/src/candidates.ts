import { readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startGatehouse } from '../../test-support/gatehouse.ts';
import { freePort, startProcess, tempDir } from '../../test-support/process.ts';
import { answers } from '../../test-support/server.ts';
import { CANDIDATE_CORE, pin } from './cores.ts';
import { DENIED, JWT_SECRET, PASSWORD_KEY } from './test-data.ts';

/** A program under load, in its own process. */
export interface Candidate {
  readonly name: string;
  readonly port: number;
  readonly pid: number;
  /** The worker of the nginx in front of it. */
  readonly nginx?: number;
  /** Empties its access log, which grows by gigabytes. */
  truncateLog(): void;
  stop(): Promise<void>;
}

const pids = new Set<number>();

/** After a candidate resumes, it first runs the timers that came due meanwhile. They must not be part of the next measurement. */
const SETTLE_MS = 500;

/**
 * Runs work while all candidates but this one are suspended: they share one core, and an idle service still has work, such as
 * moving the logins of its last burst into their table.
 */
export async function alone<T>(
  candidate: Pick<Candidate, 'pid'> | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const others = [...pids].filter((pid) => pid !== candidate?.pid);
  for (const other of others) process.kill(other, 'SIGSTOP');
  try {
    return await work();
  } finally {
    for (const other of others) process.kill(other, 'SIGCONT');
    await sleep(SETTLE_MS);
  }
}

/** Pins a candidate with its child processes, and suspends it while others are measured. */
export function onItsCore(candidate: Candidate): Candidate {
  const { pid } = candidate;
  for (const each of processesOf(candidate)) pin(each, CANDIDATE_CORE);
  pids.add(pid);
  return {
    ...candidate,
    stop() {
      pids.delete(pid);
      return candidate.stop();
    },
  };
}

const HUGE = 1_000_000_000;
const NEVER_THROTTLED = { limit: HUGE, window: 3600 };

interface GatehouseVariant {
  readonly args?: string[];
  readonly sealKey?: string;
  /** Stores passwords as argon2id. */
  readonly argon2?: boolean;
  readonly checkout?: string | undefined;
}

/**
 * Starts the service as an operator runs it, except that no limit can be reached: limits refuse what a benchmark does. All
 * counters are still kept.
 */
export async function startGatehouseOn(
  databaseUrl: string,
  name: string,
  { args = [], sealKey, argon2 = false, checkout }: GatehouseVariant = {},
): Promise<Candidate> {
  const logFile = join(tempDir('log'), 'access.log');
  const service = await startGatehouse({
    args,
    ...(checkout !== undefined && { checkout }),
    settings: {
      database: { url: databaseUrl },
      auth: {
        password_key: PASSWORD_KEY,
        jwt_secret: JWT_SECRET,
        ...(sealKey && { seal_key: sealKey }),
        ...(argon2 && { password_hash: 'argon2id', legacy_tokens: false }),
      },
      log: { file: logFile },
      deny_ip: DENIED,
      day_max_reg: HUGE,
      chat: { limit: HUGE, bytes: HUGE },
      login_throttle: {
        account_address: NEVER_THROTTLED,
        address: NEVER_THROTTLED,
        account: NEVER_THROTTLED,
        // An older version refuses settings that it does not know.
        ...(checkout === undefined && { player: NEVER_THROTTLED }),
      },
    },
  });
  return onItsCore({
    name,
    port: service.port,
    pid: service.pid,
    truncateLog: () => truncateSync(logFile),
    stop: () => service.stop(),
  });
}

/** Starts one of the programs for comparison; `file` is relative to this folder, the port is its first argument. */
export async function startProgram(name: string, file: string, args: readonly string[]): Promise<Candidate> {
  const port = await freePort();
  const program = await startProcess({
    command: process.execPath,
    args: ['--no-memory-reducer', join(import.meta.dirname, file), String(port), ...args],
    ready: () => answers(port),
    deadlineMs: 60_000,
  });
  return onItsCore({ name, port, pid: program.pid, truncateLog: () => {}, stop: () => program.stop() });
}

export const startBaseline = (databaseUrl: string, name: string, list = '{}') =>
  startProgram(name, '../baseline.ts', [databaseUrl, list]);

/** Returns anonymous and file-mapped memory of the process in megabytes. */
export function memoryOf({ pid }: Pick<Candidate, 'pid'>): { own: number; mapped: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (field: string) =>
    Math.round(Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024);
  return { own: megabytes('RssAnon'), mapped: megabytes('RssFile') };
}

export function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.split(' ').filter(Boolean).map(Number);
}

/** Returns all processes that serve its requests. */
function processesOf({ pid, nginx }: Pick<Candidate, 'pid' | 'nginx'>): number[] {
  return [pid, ...childrenOf(pid), ...(nginx === undefined ? [] : [nginx])];
}

const TICKS_PER_SECOND = 100;

/**
 * Returns the CPU time that a candidate's processes have used so far, in seconds. It depends far less on the machine's load than
 * the rate.
 */
export function cpuSeconds(candidate: Pick<Candidate, 'pid' | 'nginx'>): number {
  return processesOf(candidate).reduce((sum, each) => sum + cpuSecondsOf(each), 0);
}

function cpuSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
