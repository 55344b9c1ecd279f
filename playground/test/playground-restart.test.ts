import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DEMO, PASSWORD, startPlayground } from './playground-app.ts';

// Processes start slowly on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

test('when it is stopped and started again, then secrets, accounts and balances are kept', async () => {
  const first = await startPlayground();
  onTestFinished(() => first.stop());
  const { folder, port } = first;
  const secrets = () => readFileSync(join(folder, 'secrets.json'), 'utf8');
  const [kept, token] = [secrets(), await first.register('keeper')];
  for (const file of ['secrets.json', 'gatehouse.toml', 'gatehouse.db'])
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  const claim = { account: 'keeper', token, server_id: 1 };
  const { session } = (await first.post('/playground/game/enter', claim)).body;
  await first.post('/playground/game/earn', { session, total: 42 });

  await first.stop('SIGTERM');
  expect(await first.exited).toBe(0);
  const { get, post, stop, exited } = await startPlayground({ folder, port });
  onTestFinished(() => stop());
  expect(secrets()).toBe(kept);
  expect((await get('/api/bind', token)).status).toBe(200);
  expect((await post('/api/login', { account: 'keeper', password: PASSWORD })).status).toBe(200);
  expect((await post('/playground/game/enter', claim)).body.role.balance).toBe(42);
  // The demo accounts are made only once.
  const demo = (await post('/api/login', DEMO)).body.token;
  expect((await get('/api/game/roles?server_id=1', demo)).body.roles).toHaveLength(2);
  await stop('SIGINT');
  expect(await exited).toBe(0);
});
