import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
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

/** Returns a function that returns the share of time that the hypervisor has withheld from the cores since now. */
export function watchStolenTime(): () => number {
  const first = coreTimes();
  return () => {
    const now = coreTimes();
    return (now.stolen - first.stolen) / Math.max(1, now.total - first.total);
  };
}

const STOLEN_FIELD = 7;

/** Returns the times of all cores since the start of the machine, in ticks; zeros if the system does not count them. */
function coreTimes(): { readonly stolen: number; readonly total: number } {
  if (!existsSync('/proc/stat')) return { stolen: 0, total: 0 };
  const [, ...fields] = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.split(/ +/) ?? [];
  const ticks = fields.slice(0, STOLEN_FIELD + 1).map(Number);
  return { stolen: ticks[STOLEN_FIELD] ?? 0, total: ticks.reduce((sum, each) => sum + each, 0) };
}
