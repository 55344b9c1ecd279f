import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { findExecutable } from './executables.ts';

export { freePort, tempDir } from './run-folder.ts';

export type ProcessSpec = {
  command: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** Polled with the output so far until it returns true; an exception counts as "not yet". */
  ready: (output: string) => Promise<boolean> | boolean;
  deadlineMs?: number;
};

export type RunningProcess = {
  readonly pid: number;
  output(): string;
  /** Sends SIGTERM and waits for the exit; sends SIGKILL after a minute. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** SIGKILL for the process and its children. */
  kill(): Promise<void>;
  /** SIGSTOP, like a paused machine: connections stay open, nothing is answered. */
  freeze(): void;
  thaw(): void;
  isRunning(): boolean;
  readonly exited: Promise<number | NodeJS.Signals>;
};

const outputLimit = 8 * 1024 * 1024;
/** A starved process may need many seconds to start or to end. */
const startTimeoutMs = 60_000;
const stopTimeoutMs = 60_000;
/** A longer step of the wait counts as this long: the machine was suspended, and the process with it. */
const longestStepMs = 10_000;
const running = new Set<number>();

process.on('exit', killAll);

/** SIGKILL for everything still running. */
export function killAll(): void {
  for (const pid of running) signalGroup(pid, 'SIGKILL');
}

export async function startProcess(spec: ProcessSpec): Promise<RunningProcess> {
  const child = spawnGuarded(spec);
  const output = collectOutput(child);
  const pid = await pidOf(child);
  running.add(pid);
  const exited = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once('close', (code, signal) => {
      running.delete(pid);
      resolve(code ?? signal ?? 0);
    });
  });

  const end = async (send: () => void) => {
    if (running.has(pid)) send();
    const escalation = setTimeout(() => signalGroup(pid, 'SIGKILL'), stopTimeoutMs);
    await exited;
    clearTimeout(escalation);
  };
  const kill = () => end(() => signalGroup(pid, 'SIGKILL'));

  const ready = async () => hasReplacedGuard(pid) && (await spec.ready(output()));
  const failure = await waitUntilReady({ ...spec, ready }, exited);
  if (failure !== undefined) {
    await kill();
    throw new Error(`${spec.command} ${failure}\n${output()}`);
  }
  return {
    pid,
    output,
    stop: (signal = 'SIGTERM') => end(() => child.kill(signal)),
    kill,
    freeze: () => signalGroup(pid, 'SIGSTOP'),
    thaw: () => signalGroup(pid, 'SIGCONT'),
    isRunning: () => running.has(pid),
    exited,
  };
}

/** Sets the signal that the kernel sends to the process when its parent dies, then executes the command. */
const guard = process.platform === 'linux' ? findExecutable('setpriv') : undefined;

/** Starts a process group, so that a kill reaches the children too. The kernel ends the process if this one is killed. */
function spawnGuarded({ command, args, env, cwd }: ProcessSpec): ChildProcess {
  const line = guard === undefined ? [command, ...args] : [guard, '--pdeathsig', 'TERM', command, ...args];
  const [executable = command, ...rest] = line;
  return spawn(executable, rest, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(env && { env }),
    ...(cwd && { cwd }),
  });
}

/** Reports whether the guard has executed the command. Before that, the parent's death would leave the process running. */
function hasReplacedGuard(pid: number): boolean {
  return guard === undefined || !readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(`${guard}\0`);
}

function pidOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('spawn', () => resolve(child.pid ?? 0));
  });
}

/** Keeps the newest output up to the limit. */
function collectOutput(child: ChildProcess): () => string {
  const pieces: string[] = [];
  let length = 0;
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (piece: string) => {
      pieces.push(piece);
      length += piece.length;
      while (length > outputLimit) length -= pieces.shift()?.length ?? length;
    });
  }
  return () => pieces.join('');
}

async function waitUntilReady(
  spec: { ready: () => Promise<boolean>; deadlineMs?: number },
  exited: Promise<unknown>,
): Promise<string | undefined> {
  const deadlineMs = spec.deadlineMs ?? startTimeoutMs;
  let waitedMs = 0;
  let ended: string | undefined;
  exited.then((how) => {
    ended = `ended with ${how} before it was ready`;
  });
  while (waitedMs < deadlineMs) {
    const started = performance.now();
    if (ended !== undefined) return ended;
    if (await isReady(spec.ready)) return ended;
    await sleep(20);
    waitedMs += Math.min(performance.now() - started, longestStepMs);
  }
  return `was not ready after ${deadlineMs} ms`;
}

async function isReady(probe: () => Promise<boolean>): Promise<boolean> {
  try {
    return await probe();
  } catch {
    return false;
  }
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The process has ended in the meantime.
  }
}
