import { constants, copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Gatehouse, runCli, startGatehouse } from '../../test-support/gatehouse.ts';
import { tempDir } from '../../test-support/process.ts';
import { openDatabase } from '../src/db/open.ts';
import { createPasswords } from '../src/security/passwords.ts';
import { countOf, pipeline } from './support/pipeline.ts';
import { PASSWORD } from './support/test-app.ts';
import { workerProcesses } from './support/worker-processes.ts';

let service: Gatehouse;
/** A copy of Node that can be removed, as an upgrade does. */
let node: string;

beforeAll(async () => {
  node = join(tempDir('node'), 'node');
  copyFileSync(process.execPath, node, constants.COPYFILE_FICLONE);
  service = await startGatehouse({ args: ['--workers', '2'], node });
});

afterAll(() => service?.stop());

const { processes, workers, ask } = workerProcesses(() => service);

/** Posts a body and returns the status of the answer. */
const statusOf = (url: string, body: object, agent?: Agent) =>
  new Promise<number | undefined>((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    request(url, { method: 'POST', headers, ...(agent && { agent }) }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode));
    })
      .once('error', reject)
      .end(JSON.stringify(body));
  });

/** Inserts one player directly. */
async function addPlayer(account: string): Promise<void> {
  const auth = service.settings.auth as { password_key: string };
  const db = await openDatabase(`sqlite:${join(service.folder, 'gatehouse.db')}`);
  const password_hash = createPasswords(auth.password_key).hash(PASSWORD);
  await db.kysely.insertInto('player').values({ account, password_hash }).execute();
  await db.close();
}

test('when the right guess ends a burst on every connection, then five guesses are judged and not the right one', async () => {
  await addPlayer('Victim');
  const address = '127.0.0.1';
  const guess = (password: string) => ({ address, body: { account: 'Victim', password } });
  const burst = [...Array.from({ length: 300 }, (_, index) => guess(`wrong${index}`)), guess(PASSWORD)];
  const statuses = await Promise.all(Array.from({ length: 4 }, () => pipeline(service.url, burst)));
  expect(countOf(statuses.flat(), 401)).toBe(5);
  expect(statuses.map((each) => each.at(-1))).toEqual([429, 429, 429, 429]);
});

test('when a player logs out at one process, then no other accepts the token any longer', async () => {
  await addPlayer('Leaving');
  for (let round = 0; round < 5; round++) {
    const login = await ask('/api/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ account: 'Leaving', password: PASSWORD }),
    });
    const { token } = (await login.json()) as { token: string };
    const headers = { authorization: `Bearer ${token}` };
    expect((await ask('/api/logout', { method: 'POST', headers })).status).toBe(204);
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask('/api/bind', { headers })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
  }
});

test('when one player logs in 20 times concurrently, then all of them succeed', async () => {
  await addPlayer('Busy');
  const body = JSON.stringify({ account: 'Busy', password: PASSWORD });
  const headers = { 'content-type': 'application/json' };
  const logins = Array.from({ length: 20 }, () => ask('/api/login', { method: 'POST', headers, body }));
  expect((await Promise.all(logins)).map(({ status }) => status)).toEqual(Array(20).fill(200));
});

test('when the first process hangs while a player logs in, then no place in the throttle stays taken', async () => {
  await addPlayer('Patient');
  // The first process accepts connections, so that these are opened before.
  const agent = new Agent({ keepAlive: true, maxSockets: 5 });
  const five = <T>(ask: () => Promise<T>) => Promise.all(Array.from({ length: 5 }, ask));
  const login = (through?: Agent) =>
    statusOf(`${service.url}/api/login`, { account: 'Patient', password: PASSWORD }, through);
  await five(() => statusOf(`${service.url}/api/check`, {}, agent));
  process.kill(service.pid, 'SIGSTOP');
  try {
    expect(await five(() => login(agent))).not.toContain(200);
  } finally {
    process.kill(service.pid, 'SIGCONT');
  }
  agent.destroy();
  expect(await login()).toBe(200);
});

test('when one dies while Node itself is missing, then it is logged, counted and tried again until it serves', async () => {
  await expect.poll(() => workers().length).toBe(2);
  const [victim = 0] = workers();
  renameSync(node, `${node}.away`);
  process.kill(victim, 'SIGKILL');
  const said = (msg: string) => service.logs().filter((line) => line.msg === msg);
  await expect.poll(() => said('worker could not be started').length).toBeGreaterThan(0);
  expect(said('worker died')).toContainEqual(expect.objectContaining({ worker: victim, signal: 'SIGKILL' }));
  // No worker can be replaced now, and the running one keeps serving.
  process.kill(service.pid, 'SIGHUP');
  await expect.poll(() => said('worker could not be started').length).toBeGreaterThan(1);
  const metrics = await (await ask('/api/metrics')).text();
  expect(Number(/gatehouse_worker_deaths_total (\d+)/.exec(metrics)?.[1])).toBeGreaterThan(2);
  renameSync(`${node}.away`, node);

  await expect.poll(() => workers().length).toBe(2);
  const before = workers();
  process.kill(service.pid, 'SIGHUP');
  let most = 0;
  await expect
    .poll(
      () => {
        most = Math.max(most, processes().length);
        return workers().some((pid) => before.includes(pid));
      },
      { interval: 20 },
    )
    .toBe(false);
  await expect.poll(() => processes().length).toBe(2);
  // One more than configured, and only while it replaces another.
  expect(most).toBeLessThanOrEqual(3);
});

test('when a process does not answer, then metrics come from the others and say so', async () => {
  await expect.poll(() => workers().length).toBe(2);
  const [stopped = 0] = workers();
  process.kill(stopped, 'SIGSTOP');
  try {
    // The stopped process may get the connection.
    const answer = await Promise.any(Array.from({ length: 4 }, () => ask('/api/metrics')));
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(text).toContain('gatehouse_metrics_processes{answered="yes"} 1');
    expect(text).toContain('gatehouse_metrics_processes{answered="no"} 1');
  } finally {
    process.kill(stopped, 'SIGCONT');
  }
});

test('when it gets SIGHUP, then every process is replaced and no request fails, not even for metrics', async () => {
  const before = workers();
  const statuses: number[] = [];
  let renewed = false;
  const paths = ['/api/config', '/api/config', '/api/config', '/api/metrics'];
  const load = paths.map(async (path) => {
    while (!renewed) {
      statuses.push((await ask(path)).status);
      await sleep(5);
    }
  });
  process.kill(service.pid, 'SIGHUP');
  await expect
    .poll(() => workers().filter((pid) => !before.includes(pid)).length, { timeout: 30_000 })
    .toBe(2);
  await expect.poll(() => workers().length, { timeout: 30_000 }).toBe(2);
  await expect.poll(() => statuses.length).toBeGreaterThan(50);
  renewed = true;
  await Promise.all(load);
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test('when it is renewed with wrong settings, then the processes keep running unchanged', async () => {
  const before = workers();
  const right = readFileSync(service.settingsFile);
  writeFileSync(service.settingsFile, 'no settings at all');
  process.kill(service.pid, 'SIGHUP');
  await expect.poll(() => service.output(), { timeout: 30_000 }).toMatch(/^gatehouse: .*gatehouse\.toml:1/m);
  writeFileSync(service.settingsFile, right);
  expect(workers()).toEqual(before);
  expect((await ask('/api/config')).status).toBe(200);

  process.kill(service.pid, 'SIGHUP');
  await expect
    .poll(() => workers().filter((pid) => !before.includes(pid)).length, { timeout: 30_000 })
    .toBe(2);
});

test('when the settings are wrong, then it reports them and exits', async () => {
  const { code, stderr } = await runCli(['serve', '--workers', '2'], {
    config: service.settingsFile,
    env: { GATEHOUSE_PORT: 'x' },
  });
  expect(code).not.toBe(0);
  expect(stderr).toContain('port');
});

test('when the port is taken, then it exits instead of trying forever', async () => {
  const { code, stderr } = await runCli(['serve', '--workers', '2'], {
    config: service.settingsFile,
    env: { GATEHOUSE_PORT: String(service.port) },
  });
  expect(code).not.toBe(0);
  expect(stderr).toContain('in use');
});

test('when it is stopped, then all processes exit', async () => {
  const pids = workers();
  await service.stop();
  for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow();
});
