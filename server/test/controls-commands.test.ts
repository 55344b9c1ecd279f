import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'smol-toml';
import { expect, test } from 'vitest';
import { tempDir } from '../../test-support/process.ts';
import { runCommand } from '../../test-support/run-command.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';

/** The command line of an installation on which nothing runs yet. */
function commandLine() {
  const folder = tempDir('controls');
  const config = join(folder, 'gatehouse.toml');
  const auth = { password_key: 'k', jwt_secret: 'j'.repeat(40) };
  const database = { url: freshSqlite(folder) };
  writeFileSync(config, stringify({ database, auth, day_max_reg: 70 }));
  const cli = (...args: string[]) => runCommand(args, { config, env: { SUDO_USER: 'olga' } });
  const listed = async (...args: string[]) => JSON.parse((await cli(...args, '--json')).stdout);
  return { cli, listed };
}

test('when controls are set and cleared by commands, then the list shows those in force, and errors are one line', async () => {
  const { cli, listed } = commandLine();
  expect(await cli('control', 'set', 'day_max_reg', '5', '--until', '2h', '--reason', 'flood')).toMatchObject(
    {
      code: 0,
      stdout: expect.stringMatching(/^day_max_reg is 5 until \d{4}-.*\+08:00\n$/),
    },
  );
  const idle = { value: null, until: null, by: null, at: null, reason: null };
  expect(await listed('control', 'list')).toEqual([
    expect.objectContaining({ name: 'day_max_reg', value: 5, setting: 70, by: 'olga', reason: 'flood' }),
    { name: 'withdraw.enabled', setting: true, ...idle },
  ]);
  expect(await cli('control', 'clear', 'day_max_reg')).toMatchObject({ code: 0 });
  expect((await listed('control', 'list'))[0]).toEqual({ name: 'day_max_reg', setting: 70, ...idle });
  expect((await cli('control', 'clear', 'day_max_reg')).stderr).toBe(
    'gatehouse: day_max_reg is not overridden\n',
  );
  expect((await cli('control', 'set', 'withdraw.enabled', 'no')).stderr).toBe(
    'gatehouse: value: must be of type boolean\n',
  );
});

test('when entries are denied by commands, then they are listed and removed by their id', async () => {
  const { cli, listed } = commandLine();
  expect((await cli('deny', 'add', '203.0.113.0/24', '--reason', 'bots')).stdout).toContain('deny remove 1');
  expect(await listed('deny', 'list')).toMatchObject([{ id: 1, entry: '203.0.113.0/24', until: null }]);
  expect(await cli('deny', 'remove', '1')).toMatchObject({ code: 0 });
  expect((await cli('deny', 'remove', '1')).stderr).toBe('gatehouse: there is no entry 1\n');
  expect((await cli('deny', 'add', 'everybody')).stderr).toMatch(
    /^gatehouse: entry: must be an address.*\n$/,
  );
});

test('when announcements are made by commands, then they are listed, changed and removed', async () => {
  const { cli, listed } = commandLine();
  const add = ['announcement', 'add', '--title', 'Patch', '--body', 'one\ntwo', '--language', 'en'];
  expect(await cli(...add, '--until', '2d', '--level', 'warning')).toMatchObject({ code: 0 });
  await cli('announcement', 'set', '1', '--title', 'Big patch', '--language', 'none', '--until', 'none');
  expect(await listed('announcement', 'list')).toEqual([
    {
      id: 1,
      title: 'Big patch',
      body: 'one\ntwo',
      level: 'warning',
      language: null,
      from: null,
      until: null,
      kind: 'notice',
      pinned: false,
      summary: '',
      created_at: expect.any(String),
    },
  ]);
  const news = ['announcement', 'add', '--kind', 'news', '--title'];
  expect((await cli(...news, 'a\u0001b')).stderr).toBe('gatehouse: title: has an invalid format\n');
  expect((await cli(...news, 'Long', '--body', 'x'.repeat(20_001))).stderr).toBe(
    'gatehouse: body: must have at most 20000 characters\n',
  );
  expect((await cli(...news, '🎮'.repeat(60))).code).toBe(0);
  expect(await cli('announcement', 'remove', '1')).toMatchObject({ code: 0 });
  expect((await cli('announcement', 'set', '1', '--title', 'x')).stderr).toBe(
    'gatehouse: there is no announcement 1\n',
  );
});
