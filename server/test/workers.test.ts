import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Gatehouse, startGatehouse } from '../../test-support/gatehouse.ts';
import { workerProcesses } from './support/worker-processes.ts';

let service: Gatehouse;

beforeAll(async () => {
  service = await startGatehouse({ args: ['--workers', '2'] });
});

afterAll(() => service?.stop());

const { workers, ask } = workerProcesses(() => service);

test('when several processes share the port, then all of them answer and all are counted', async () => {
  await expect.poll(() => workers().length, { timeout: 50_000 }).toBe(2);
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask('/api/config')));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  const served = () =>
    new Set(service.logs().flatMap((line) => (line.path === '/api/config' ? [line.pid] : [])));
  await expect.poll(() => served().size).toBe(2);

  // A process that does not answer the primary within a second is left out of that scrape.
  await expect
    .poll(async () => (await ask('/api/metrics')).text())
    .toContain('gatehouse_http_request_seconds_count{route="/api/config",method="GET",status="200"} 20');
});

test('when guesses are spread over the processes, then they are counted together', async () => {
  const guess = () =>
    ask('/api/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ account: 'Somebody', password: 'not this one' }),
    });
  const statuses = (await Promise.all(Array.from({ length: 30 }, guess))).map(({ status }) => status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(5);
  expect(statuses.filter((status) => status === 429)).toHaveLength(25);
});

test('when one process dies, then another replaces it and no request fails', async () => {
  const [victim = 0, other = 0] = workers();
  process.kill(victim, 'SIGKILL');
  const alive = () => workers().filter((pid) => pid !== victim);
  await expect.poll(() => alive().length, { timeout: 50_000 }).toBe(2);
  expect(alive()).toContain(other);
  expect((await ask('/api/config')).status).toBe(200);
});
