import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { findExecutable } from '../../test-support/executables.ts';

/** The candidate has its own core; the load generator and the database share the other. */
export const CANDIDATE_CORE = 0;
export const LOAD_CORE = 1;

const taskset = availableParallelism() > 1 ? findExecutable('taskset') : undefined;

export const canPin = taskset !== undefined;

/** Pins a command to one core, if the machine supports it. */
export function pinned(command: readonly string[], core: number): string[] {
  return taskset === undefined ? [...command] : [taskset, '-c', String(core), ...command];
}

/** Moves a running process with all its threads. */
export function pin(pid: number, core: number | string): void {
  if (taskset !== undefined)
    execFileSync(taskset, ['-a', '-c', '-p', String(core), String(pid)], { stdio: 'ignore' });
}
