import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startGatehouse } from '../../test-support/gatehouse.ts';
import { freePort, tempDir } from '../../test-support/process.ts';
import { runScript, startPlayground } from './playground-app.ts';

// Processes start slowly on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const start = (...args: string[]) => runScript('playground/src/main.ts', args);

test('when it runs, then terminal and log say that it is a playground, and show no secret', async () => {
  const { folder, port, output, stop } = await startPlayground();
  await expect.poll(output).toContain('Gatehouse playground');
  expect(output()).toContain(`http://localhost:${port}/playground/mail`);
  expect(output()).toContain('not for production');
  await stop();
  const log = readFileSync(join(folder, 'gatehouse.log'), 'utf8');
  expect(log).toContain('PLAYGROUND');
  // There is no terminal here, so there is no colour; and only the playground may have printed something.
  expect(output()).not.toContain('\u001b');
  expect(output()).not.toContain('WARNING');
  const secrets: Record<string, string> = JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8'));
  for (const secret of Object.values(secrets)) expect(output() + log).not.toContain(secret);
});

test('when no other host is set, then only this machine’s own addresses are answered', async () => {
  // 127.0.0.2 is this machine too, but "localhost" does not resolve to it.
  const reach = (port: number) =>
    fetch(`http://127.0.0.2:${port}/api/health/live`).then(
      () => 'answered',
      () => 'refused',
    );
  const quiet = await startPlayground();
  onTestFinished(() => quiet.stop());
  expect(await reach(quiet.port)).toBe('refused');
  const open = await startPlayground({ args: ['--public'] });
  onTestFinished(() => open.stop());
  expect(await reach(open.port)).toBe('answered');
  await expect.poll(open.output).toContain('anyone there can read the mailbox');
});

test('when the real service is served, then it has nothing of the playground', async () => {
  const service = await startGatehouse();
  onTestFinished(() => service.stop());
  const pages = ['', '/mail', '/mail/messages.json', '/client/', '/client/main.js', '/base.css'];
  for (const page of pages) expect((await fetch(`${service.url}/playground${page}`)).status).toBe(404);
  const enter = await fetch(`${service.url}/playground/game/enter`, { method: 'POST' });
  expect(enter.status).toBe(404);
});

test('when the port is in use, then one line says so and how to choose another', async () => {
  const other = createServer();
  const port = await freePort();
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  const { code, stderr } = await start('--port', String(port), '--data', tempDir('playground'));
  expect(code).toBe(1);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stderr).toContain(`port ${port} is in use`);
  expect(stderr).toContain('npm start -- --port');
});

test('when a playground already runs in the folder, then a second one refuses to start', async () => {
  const { folder, stop, get } = await startPlayground();
  onTestFinished(() => stop());
  const { code, stderr } = await start('--port', String(await freePort()), '--data', folder);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`${folder} is in use`) });
  expect((await get('/api/health/ready')).status).toBe(200);
});

test.each([
  ['secrets.json', 'secrets.json is damaged'],
  ['gatehouse.db', 'gatehouse.db'],
  ['zones/mir_actor_s1.db', 'zone 1'],
  ['zones/zone-1.jsonl', 'zone 1'],
])('when %s is damaged, then the start reports it and how to start over', async (file, name) => {
  const folder = tempDir('playground');
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), 'not what it was\n'.repeat(100));
  const { code, stderr } = await start('--port', String(await freePort()), '--data', folder);
  expect(code).toBe(1);
  expect(stderr).toContain(name);
  expect(stderr).toContain(`to start afresh, delete ${folder}`);
  expect(stderr).not.toMatch(/\n\s+at /);
});

test.each([
  [['--port', 'x'], '--port must be a whole number'],
  [['--prot', '1'], "Unknown option '--prot'"],
  [['--url', 'nowhere'], '--url must be'],
])('when it is started with %s, then it reports the mistake', async (args, line) => {
  const { code, stderr } = await start(...args);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(line) });
});
