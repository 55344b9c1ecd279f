import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startGatehouse } from '../../test-support/gatehouse.ts';
import { startNginx } from '../../test-support/nginx.ts';
import { freePort } from '../../test-support/process.ts';
import { DEMO, runScript, startPlayground } from './playground-app.ts';

// Processes start slowly on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

interface Finding {
  readonly name: string;
  readonly outcome: 'ok' | 'note' | 'failed';
  readonly detail: string;
}

const root = join(import.meta.dirname, '../..');

async function smoke(url: string, options: { args?: string[]; input?: string } = {}) {
  const args = [url, '--json', ...(options.args ?? [])];
  const { code, stdout } = await runScript('scripts/smoke.ts', args, options.input);
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: Finding[] };
  expect(code).toBe(ok ? 0 : 1);
  const named = (outcome: string) =>
    checks.filter((each) => each.outcome === outcome).map(({ name }) => name);
  return { ok, checks, passed: named('ok'), failed: checks.filter((each) => each.outcome === 'failed') };
}

test('when the smoke test checks the playground, then it passes, with a new account and with a known one', async () => {
  const { port, stop } = await startPlayground();
  onTestFinished(() => stop());
  const url = `http://localhost:${port}`;
  const fresh = await smoke(url, { args: ['--register'] });
  expect(fresh.failed).toEqual([]);
  expect(fresh.passed).toEqual(
    expect.arrayContaining(['register', 'enter a zone', 'roles', 'pages', 'retired paths']),
  );

  const known = await smoke(url, { args: ['--account', DEMO.account], input: `${DEMO.password}\n` });
  expect(known.failed).toEqual([]);
  expect(known.checks.find(({ name }) => name === 'roles')?.detail).toContain('2 roles');

  const wrong = await smoke(url, { args: ['--account', DEMO.account], input: 'not the password\n' });
  expect(wrong.failed.map(({ name }) => name)).toEqual(['log in', 'enter a zone', 'roles']);
});

/** The shipped configuration, with the marked lines changed as an operator would. */
function nginxConfiguration(port: number, backend: number): string {
  return readFileSync(join(root, 'deploy/nginx.conf'), 'utf8')
    .replace('server 127.0.0.1:3001', `server 127.0.0.1:${backend}`)
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace(/root [^;]+;/, `root ${join(root, 'web/dist')};`)
    .replace('/var/log/nginx/gatehouse.log', 'access.log')
    .replaceAll('gatehouse_proxy.conf', join(root, 'deploy/gatehouse_proxy.conf'));
}

test('when the smoke test checks the service behind nginx, then it passes too', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const service = await startGatehouse({ settings: { trust_proxy: ['127.0.0.1'], public_url: url } });
  onTestFinished(() => service.stop());
  const nginx = await startNginx({ conf: nginxConfiguration(port, service.port) });
  onTestFinished(() => nginx.stop());
  const { failed, checks } = await smoke(url);
  expect(failed).toEqual([]);
  expect(checks.find(({ name }) => name === 'retired paths')?.detail).toContain('by the web server in front');
  expect(checks.find(({ name }) => name === 'playground')?.detail).toBe('not there');
});

test('when the smoke test checks something else, then every check fails', async () => {
  const other = createServer((socket) =>
    socket.end('HTTP/1.1 200 OK\r\nserver: Old/1.0\r\ncontent-length: 2\r\n\r\nhi'),
  );
  const port = await freePort();
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  const { ok, passed } = await smoke(`http://127.0.0.1:${port}`);
  expect({ ok, passed }).toEqual({ ok: false, passed: [] });
});

test('when the host does not answer, then the smoke test says so once', async () => {
  const { failed } = await smoke(`http://127.0.0.1:${await freePort()}`);
  expect(failed).toMatchObject([{ name: 'ready', detail: expect.stringContaining('ECONNREFUSED') }]);
});

test('when the smoke test gets no address, then it prints its usage', async () => {
  const { code, stderr } = await runScript('scripts/smoke.ts');
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('npm run smoke -- URL') });
});
