import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { freePort, killAll, startProcess, tempDir } from './process.ts';

const node = process.execPath;
const sleeper = 'setInterval(() => {}, 1000)';

/** Returns the process state as one letter: T is stopped, Z is a zombie. */
function stateOf(pid: number): string | undefined {
  const stat = `/proc/${pid}/stat`;
  return existsSync(stat) ? /\) ([A-Z]) /i.exec(readFileSync(stat, 'utf8'))?.[1] : undefined;
}

/** Treats zombies as dead: an orphan may stay listed until the system reaps it. */
function isAlive(pid: number): boolean {
  return (stateOf(pid) ?? 'Z') !== 'Z';
}

/** Reads output that is still in the pipe, which takes a few turns of the event loop. */
async function readOut(): Promise<void> {
  for (let turns = 0; turns < 20; turns++) await turn();
}

test('when a process dies before it is ready, then its output is in the error', async () => {
  const args = ['-e', 'console.error("no such table"); process.exit(3)'];
  const start = startProcess({ command: node, args, ready: () => false });
  await expect(start).rejects.toThrow(/ended with 3 before it was ready\nno such table/);
});

test('when a process is not ready in time, then it is killed and the start fails', async () => {
  const args = ['-e', `console.log(process.pid); ${sleeper}`];
  const start = startProcess({ command: node, args, ready: () => false, deadlineMs: 500 });
  const error = await start.then(
    () => undefined,
    (reason: Error) => reason,
  );
  expect(error?.message).toContain('was not ready after 500 ms');
  expect(isAlive(Number(error?.message.split('\n')[1]))).toBe(false);
});

test('when the command does not exist, then the start fails', async () => {
  await expect(startProcess({ command: '/nowhere/x', args: [], ready: () => false })).rejects.toThrow(
    '/nowhere/x',
  );
});

test('when a process is stopped, then it has exited; stopping it again does nothing', async () => {
  const running = await startProcess({ command: node, args: ['-e', sleeper], ready: () => true });
  await running.stop();
  expect(await running.exited).toBe('SIGTERM');
  expect(isAlive(running.pid)).toBe(false);
  await running.stop();
});

test('when a file left processes running, then the next file has none', async () => {
  const left = () => startProcess({ command: node, args: ['-e', sleeper], ready: () => true });
  const [one, other] = [await left(), await left()];
  killAll();
  expect([await one.exited, await other.exited]).toEqual(['SIGKILL', 'SIGKILL']);
});

test('when a process is suspended, then it is silent until it resumes', async () => {
  const args = ['-e', 'setInterval(() => console.log("tick"), 10)'];
  const running = await startProcess({ command: node, args, ready: () => true });
  await expect.poll(() => running.output()).toContain('tick');
  running.freeze();
  await expect.poll(() => stateOf(running.pid)).toBe('T');
  await readOut();
  const heard = running.output().length;
  await sleep(200);
  await readOut();
  expect(running.output().length).toBe(heard);
  running.thaw();
  await expect.poll(() => running.output().length).toBeGreaterThan(heard);
  expect(running.isRunning()).toBe(true);
  await running.kill();
  expect(running.isRunning()).toBe(false);
});

test('when the parent is killed, then what it started ends too', async () => {
  const script = `
    import { startProcess } from ${JSON.stringify(join(import.meta.dirname, 'process.ts'))};
    const child = await startProcess({ command: ${JSON.stringify(node)}, args: ['-e', '${sleeper}'], ready: () => true });
    console.log(child.pid);`;
  const parent = spawn(node, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(parent.stdout, 'data');
  const childPid = Number(String(line));
  expect(isAlive(childPid)).toBe(true);

  parent.kill('SIGKILL');
  await expect.poll(() => isAlive(childPid)).toBe(false);
});

test('when a program that made temporary folders ends, then they are removed', async () => {
  const script = `
    import { tempDir } from ${JSON.stringify(join(import.meta.dirname, 'process.ts'))};
    console.log(tempDir('own'));`;
  const { TEST_RUN_FOLDER: _, ...env } = process.env;
  const { stdout } = await promisify(execFile)(node, ['--input-type=module', '-e', script], { env });
  expect(stdout).toContain('own-');
  expect(existsSync(stdout.trim())).toBe(false);
  expect(existsSync(tempDir('shared'))).toBe(true);
});

test('when many ports are requested at once, then no two are the same', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, freePort));
  expect(new Set(ports).size).toBe(50);
});
