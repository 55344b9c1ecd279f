import { beforeAll, expect, test } from 'vitest';
import { type Mariadb, startMariadb } from './mariadb.ts';
import { answers } from './server.ts';
import { sharedMariadbUrl } from './shared-servers.ts';

let mariadb: Mariadb;

beforeAll(async () => {
  mariadb = await startMariadb();
  return () => mariadb.kill();
});

test('when the shared server is requested, then it is not the private one', () => {
  expect(sharedMariadbUrl()).not.toBe(mariadb.url);
});

test('when it is killed and restarted, then committed rows and the port are the same', async () => {
  await mariadb.createDatabase('keeps');
  await mariadb.execute('CREATE TABLE keeps.t (n INT); INSERT INTO keeps.t VALUES (7)');
  const firstPid = mariadb.pid;

  await mariadb.kill();
  expect(await answers(mariadb.port)).toBe(false);
  await mariadb.restart();

  expect(await mariadb.execute('SELECT n FROM keeps.t')).toEqual([{ n: 7 }]);
  expect(mariadb.pid).not.toBe(firstPid);
});

test('when a text is stored, then it is utf8mb4', async () => {
  const url = await mariadb.createDatabase();
  expect(url).toMatch(/\/test_[0-9a-f]+$/);
  expect(await mariadb.execute('SELECT @@character_set_server AS name')).toEqual([{ name: 'utf8mb4' }]);
});
