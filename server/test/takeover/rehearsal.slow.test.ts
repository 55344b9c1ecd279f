import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../../../test-support/mariadb.ts';
import { tempDir } from '../../../test-support/process.ts';
import { runCommand } from '../../../test-support/run-command.ts';
import { sharedMariadbUrl } from '../../../test-support/shared-servers.ts';
import { configOf } from '../support/cli-config.ts';
import {
  createTables,
  PASSWORD_KEY,
  passwords,
  startNodePlatform,
  startPhpPlatform,
} from './old-platform.ts';
import { rehearse } from './run.ts';

test('when an old service is replaced under load and taken back, then no login fails and no account is lost', async () => {
  const { facts, violations, notes } = await rehearse({
    serverUrl: sharedMariadbUrl(),
    startOld: startNodePlatform,
    accounts: 30,
    logins: 200,
    clients: 4,
  });
  expect(notes).toEqual([]);
  expect(Object.entries(violations).filter(([, count]) => count !== 0)).toEqual([]);
  expect(facts['answers compared by the shadow']).toBeGreaterThan(0);
}, 600_000);

// The full run is `npm run rehearse:takeover`.
test('when a PHP platform is replaced under load and taken back, then no login fails and no account is lost', async () => {
  const { violations, notes } = await rehearse({
    serverUrl: sharedMariadbUrl(),
    startOld: startPhpPlatform,
    accounts: 300,
    logins: 3000,
    clients: 8,
  });
  expect(notes).toEqual([]);
  expect(Object.entries(violations).filter(([, count]) => count !== 0)).toEqual([]);
}, 1_200_000);

test('when a PHP platform records its answers with the shipped file, then the shadow reads all of them', async () => {
  const [oldUrl, newUrl] = [
    await createDatabase(sharedMariadbUrl()),
    await createDatabase(sharedMariadbUrl()),
  ];
  await createTables(oldUrl);
  const file = join(tempDir('exchanges'), 'exchanges.jsonl');
  const prepend = resolve(import.meta.dirname, '../../../deploy/record-exchanges.php');
  const old = await startPhpPlatform(oldUrl, { prepend, env: { EXCHANGES_FILE: file } });
  onTestFinished(() => old.stop());
  const post = async (path: string, fields: Record<string, string>) => {
    const options = { method: 'POST', body: new URLSearchParams(fields) };
    return (await fetch(`http://127.0.0.1:${old.port}${path}`, options)).json();
  };
  const [account, password] = ['玩家', 'Right-Password-1'];
  const token = passwords.hash(password);
  expect(await post('/api/register', { account, password })).toMatchObject({ code: 0 });
  expect(await post('/api/login', { account, password })).toMatchObject({ code: 0, token });
  expect(await post('/api/login', { account, password: 'wrong' })).toMatchObject({ code: 1 });
  expect(await post(`/api/check?account=${account}&token=${token}`, {})).toMatchObject({ code: 0 });
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(3);

  const config = configOf(newUrl, { auth: { password_key: PASSWORD_KEY, jwt_secret: 'j'.repeat(40) } });
  const compare = async () => {
    const { stdout } = await runCommand(['takeover', 'shadow', '--log', file, '--json'], { config });
    const { routes, unreadable } = JSON.parse(stdout);
    return [
      ...routes.map(({ compared, differed }: Record<string, number>) => [compared, differed]),
      unreadable,
    ];
  };
  expect(await compare()).toEqual([[2, 1], [1, 1], 0]);
  const map = 'account=username,password_hash=password';
  await runCommand(['import', '--from', oldUrl, '--table', 'members', '--map', map, '--apply'], { config });
  expect(await compare()).toEqual([[2, 0], [1, 0], 0]);
}, 60_000);
