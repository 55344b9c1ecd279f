import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { startGatehouse } from '../../test-support/gatehouse.ts';
import { codeIn, waitForOutboxMail } from '../../test-support/mail.ts';
import { tempDir } from '../../test-support/process.ts';
import { stageRelease } from './stage.ts';

const root = resolve(import.meta.dirname, '../..');

/** With RELEASE_INSTALL=npm, installs from npm's registry; otherwise without a network. */
const install = process.env.RELEASE_INSTALL === 'npm' ? installWithNpm : installByLinks;

function installWithNpm(file: string, folder: string): void {
  execFileSync('npm', ['install', '--prefer-offline', file], { cwd: folder, stdio: 'ignore' });
}

/** Imitates npm by linking exactly the dependencies the package names to those of the repository. */
function installByLinks(file: string, folder: string): void {
  const target = join(folder, 'node_modules/gatehouse');
  mkdirSync(target, { recursive: true });
  execFileSync('tar', ['-xzf', file, '--strip-components=1', '-C', target]);
  const { dependencies } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) {
    const link = join(folder, 'node_modules', name);
    const source = [join(root, 'server/node_modules', name), join(root, 'node_modules', name)].find(
      existsSync,
    );
    if (source === undefined) throw new Error(`${name} is not installed in the repository`);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(source, link);
  }
}

async function send(url: string, body?: object) {
  const response = await fetch(url, {
    method: body ? 'POST' : 'GET',
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  return { status: response.status, text: await response.text() };
}

test('when a release is packed and installed in an empty folder, then it serves pages, console and API, and a player logs in', async () => {
  const staging = tempDir('release');
  const { name, version } = await stageRelease({ root, folder: staging });
  execFileSync('npm', ['pack', '--pack-destination', staging], { cwd: staging, stdio: 'ignore' });
  const folder = tempDir('installed');
  install(join(staging, `${name}-${version}.tgz`), folder);

  const installed = join(folder, 'node_modules/gatehouse');
  expect(globSync('{server,contract}/**/*.ts', { cwd: installed })).toEqual([]);
  const bin = join(installed, 'server/bin/gatehouse.js');
  const run = (...args: string[]) => execFileSync(process.execPath, [bin, ...args], { encoding: 'utf8' });
  expect(run('--version').trim()).toBe(version);
  expect(run('--help', '--lang', 'zh')).toContain('用法');

  const service = await startGatehouse({ entry: bin, args: ['serve', '--workers', '2'] });
  const at = (path: string) => service.url + path;
  expect((await send(at('/login'))).text).toContain('<div id="app"');
  expect((await send(at('/console/'))).text).toContain('<div id="app"');
  expect(JSON.parse((await send(at('/api/health/live'))).text)).toEqual({ status: 'live', version });
  expect((await send(at('/api/misc/agree'))).status).toBe(200);

  const [account, password, email] = ['newcomer', 'A-long-Passw0rd', 'newcomer@example.com'];
  expect((await send(at('/api/send_code'), { email })).status).toBe(200);
  const code = codeIn(await waitForOutboxMail(service.outbox, email));
  expect((await send(at('/api/register'), { account, password, email, code })).status).toBeLessThan(300);
  expect((await send(at('/api/login'), { account, password })).status).toBe(200);
  const smoke = execFileSync('npm', ['run', 'smoke', '--', service.url], {
    cwd: installed,
    encoding: 'utf8',
  });
  expect(smoke).toContain('is well');
  await service.stop();
}, 300_000);
