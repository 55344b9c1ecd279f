import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { cleanEnvironment, serviceEntry } from '../../test-support/gatehouse.ts';
import { freePort } from '../../test-support/process.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { askPassword } from '../src/cli/player.ts';
import { startTestApp } from './support/test-app.ts';

const zoneOptions = ['--name', '一区', '--address', 'game1.example.com', '--port', '7000'];

describeByTier('the command line', (engine) => {
  test('when zones are added from a file, then all or none are added, and an error names its line', async () => {
    const { cli, folder } = await startTestApp(await engine.freshUrl());
    const file = join(folder, 'zones.csv');
    const writeWith = (gmColumn: string, ...lines: string[]) =>
      writeFileSync(file, [`server_id,name,address,port,opens,${gmColumn}`, ...lines].join('\n'));
    const write = (...lines: string[]) => writeWith('gm_url', ...lines);
    writeWith('gm', '1,一区,10.0.0.5,7000,,http://10.0.0.5:8080/gm');
    expect((await cli('zone', 'add', '--file', file)).stderr).toContain(
      'must be server_id, name, address, port, status, sort',
    );
    writeWith(
      'gm-url',
      '1,一区,10.0.0.5,7000,,http://10.0.0.5:8080/gm',
      '2,"二区, 东",game2.example.com,7001,2030-01-31 12:00,',
    );
    expect(JSON.parse((await cli('zone', 'add', '--file', file, '--json')).stdout)).toEqual({
      added: [1, 2],
    });
    const listed = JSON.parse((await cli('zone', 'list', '--json')).stdout);
    // The default time zone is Asia/Shanghai.
    expect(listed).toMatchObject([
      { name: '一区' },
      { name: '二区, 东', opened_at: '2030-01-31T04:00:00.000Z' },
    ]);
    expect((await cli('zone', 'list')).stdout).toContain('2030-01-31T12:00:00+08:00');

    write('3,三区,10.0.0.5,7000,,', '2,again,10.0.0.5,7000,,');
    expect((await cli('zone', 'add', '--file', file)).stderr).toContain('zone 2 already exists');
    write('3,三区,10.0.0.5,7000,,', '4,四区,10.0.0.5,x,,');
    expect((await cli('zone', 'add', '--file', file)).stderr).toContain('line 3: must be a whole number');
    expect(JSON.parse((await cli('zone', 'list', '--json')).stdout)).toHaveLength(2);
  });
});

test('when a field of a zone or a time is invalid, then the command is refused', async () => {
  const { cli } = await startTestApp(freshSqlite());
  await cli('zone', 'add', '1', ...zoneOptions);
  for (const [option, value, message] of [
    ['--opens', '5', 'must be a time such as'],
    ['--opens', '2030-02-30', 'must be a time such as'],
    ['--maintenance-until', '2020-01-01', 'is in the past'],
    ['--gm-url', '10.0.0.5:8080/gm', 'must be a URL such as'],
    ['--address', 'http://10.0.0.5', 'must be a host name or an IP address'],
    ['--address', '10.0.0.500', 'must be a host name or an IP address'],
    ['--database-url', 'postgres://x', 'must be mysql://'],
    ['--name', ' ', 'must be one line of 1 to 64'],
  ] as const) {
    const { code, stderr } = await cli('zone', 'set', '1', option, value);
    expect({ option, value, code }).toEqual({ option, value, code: 2 });
    expect(stderr).toContain(message);
  }
  expect((await cli('zone', 'set', '1', '--opens', 'none')).code).toBe(0);
  expect(await cli('player', 'ban', 'Nobody', '--until', '2020-01-01')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is in the past'),
  });
});

test('when a command fails, then its exit status tells the kind of failure, and --json prints JSON', async () => {
  const app = await startTestApp(freshSqlite());
  const failure = async (...args: string[]) => {
    const { code, stdout, stderr } = await app.cli(...args, '--json');
    expect(stdout).toBe('');
    return { code, ...(JSON.parse(stderr) as { error: string; exit_status: number }) };
  };
  expect(await failure('zone', 'add', '0', ...zoneOptions)).toMatchObject({ code: 2, exit_status: 2 });
  expect(await failure('zone', 'set', '1', '--no-such-option')).toMatchObject({
    code: 2,
    error: expect.stringContaining('unknown option'),
  });
  expect(await failure('player', 'show', 'nobody')).toEqual({
    code: 3,
    error: 'there is no account nobody',
    exit_status: 3,
  });
  await app.cli('zone', 'add', '9', ...zoneOptions);
  expect(await failure('zone', 'add', '9', ...zoneOptions)).toMatchObject({ code: 1 });
  writeFileSync(
    app.settingsFile,
    `[database]\nurl = "mysql://u:p@127.0.0.1:${await freePort()}/x"\n[auth]\npassword_key = "k"\njwt_secret = "${'s'.repeat(40)}"\n`,
  );
  expect(await failure('zone', 'list')).toMatchObject({ code: 4 });
});

test('when the reader of the output closes it, then the command ends silently', async () => {
  const env = {
    ...cleanEnvironment(),
    GATEHOUSE_AUTH_PASSWORD_KEY: 'k',
    GATEHOUSE_AUTH_JWT_SECRET: 's'.repeat(40),
  };
  const said = execFileSync(
    'sh',
    ['-c', `"${process.execPath}" "${serviceEntry()}" routes --json 2>&1 | head -c 10`],
    {
      env,
      encoding: 'utf8',
    },
  );
  expect(said).toHaveLength(10);
});

test('when this Node has no Temporal, then the one of the dependencies runs the command', () => {
  const bin = join(import.meta.dirname, '../bin/gatehouse.js');
  const said = (...args: string[]) =>
    spawnSync(process.execPath, ['--no-harmony-temporal', bin, ...args], {
      env: cleanEnvironment(),
      encoding: 'utf8',
    }).stderr;
  expect(said('zone', 'set', '1', '--opens', '2030-02-31')).toContain('must be a time such as');
  expect(said('zone', 'set', '1', '--opens', '2030-01-31')).not.toContain('must be a time such as');
});

test('when a command is called by its former name, then it runs and names the current one', async () => {
  const { cli } = await startTestApp(freshSqlite());
  expect(await cli('agent', 'list')).toEqual({
    code: 0,
    stdout: 'no promoters yet\n',
    stderr: 'gatehouse: note: "agent" is now called "promoter"\n',
  });
  expect(await cli('agent', 'list', '--json')).toMatchObject({ code: 0, stderr: '' });
  const { code, stderr } = await cli('withdraw', 'resolve', 'w-1', '--state', 'done', '--reason', 'log');
  expect(code).toBe(3);
  expect(stderr).toContain('"withdraw resolve" is now called "withdraw settle"');
});

test('when a password is prompted for, then it is not shown, and must be typed twice', async () => {
  const type = async (...lines: string[]) => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    let shown = '';
    output.on('data', (chunk) => {
      shown += chunk;
      const line = /: $/.test(String(chunk)) ? lines.shift() : undefined;
      if (line !== undefined) setImmediate(() => input.write(`${line}\n`));
    });
    const answer = await askPassword({ input, output }).catch((error: Error) => error.message);
    return { answer, shown };
  };
  expect(await type('Geheim-1', 'Geheim-1')).toEqual({
    answer: 'Geheim-1',
    shown: 'new password: \nrepeat the password: \n',
  });
  expect((await type('Geheim-1', 'Geheim-2')).answer).toBe('the passwords do not match');
});
