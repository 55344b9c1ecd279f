import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Gatehouse, runCli, startGatehouse } from './gatehouse.ts';
import { answers } from './server.ts';

let service: Gatehouse;

beforeAll(async () => {
  service = await startGatehouse({ settings: { day_max_reg: 3, auth: { game_token: 'legacy' } } });
});
afterAll(() => service.kill());

const isReady = async () => (await fetch(`${service.url}/api/health/ready`)).status;

test('when it is started with some settings, then defaults fill in the others', () => {
  expect(service.settings).toMatchObject({
    day_max_reg: 3,
    port: service.port,
    auth: { game_token: 'legacy', jwt_secret: expect.stringMatching(/^[0-9a-f]{64}$/) },
  });
  expect(existsSync(service.settingsFile)).toBe(true);
});

test('when it is killed and restarted, then it answers on the same port and its log continues', async () => {
  expect(await isReady()).toBe(200);
  const firstPid = service.pid;
  const linesBefore = service.logs().length;

  await service.kill();
  expect(await answers(service.port)).toBe(false);
  await service.restart();

  expect(await isReady()).toBe(200);
  expect(service.pid).not.toBe(firstPid);
  await expect.poll(() => service.logs().length).toBeGreaterThan(linesBefore);
});

test('when a command is run, then its exit status and both outputs are returned', async () => {
  const routes = await runCli(['routes', '--json'], { config: service.settingsFile });
  expect(routes).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(routes.stdout)).toContainEqual({
    method: 'POST',
    path: '/api/login',
    open: true,
    auth: 'none',
  });

  const unknown = await runCli(['no-such-command'], { config: service.settingsFile });
  expect(unknown.code).not.toBe(0);
  expect(unknown.stderr).toContain('no-such-command');
});

test('when the settings are invalid, then the start fails with the service’s output', async () => {
  const start = startGatehouse({ settings: { auth: { jwt_secret: 'short' } } });
  await expect(start).rejects.toThrow('auth.jwt_secret');
});

test('when it stops, then it is gone', async () => {
  await service.stop();
  expect(await answers(service.port)).toBe(false);
});
