import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { runCommand } from '../../test-support/run-command.ts';
import { createPasswords } from '../src/security/passwords.ts';
import { PASSWORD, startTestApp, type TestApp } from './support/test-app.ts';
import { stopClock, turnOn } from './support/totp.ts';

/** A running service with one player, and the operator's command line. */
async function startOperatorApp(databaseUrl: string): Promise<TestApp> {
  const app = await startTestApp(databaseUrl, { auth: { password_key: 'old' } });
  await app.db.kysely
    .insertInto('player')
    .values({ account: 'Mallory', password_hash: createPasswords('old').hash(PASSWORD) })
    .execute();
  return app;
}

/** Passes passwords by standard input: arguments are visible in the process list. */
const setPassword = ({ settingsFile }: TestApp, account: string, password: string) =>
  runCommand(['player', 'set-password', account], { config: settingsFile, input: `${password}\n` });

describeByTier('the operator', (engine) => {
  test('when a player is banned, signed out or given a password, then it takes effect immediately', async () => {
    const client = await startOperatorApp(await engine.freshUrl());
    const { cli } = client;
    const login = (password = PASSWORD) => client.post('/api/login', { account: 'mallory', password });
    const { token } = (await login()).body;
    expect((await client.get('/api/bind', { token })).status).toBe(200);

    expect((await cli('player', 'ban', 'MALLORY', '--reason', '外挂', '--until', '7d')).code).toBe(0);
    expect((await client.get('/api/bind', { token })).body).toMatchObject({
      code: 'account_suspended',
      reason: '外挂',
    });
    const until = Date.parse((await login()).body.until) - Date.now();
    expect(until / 86_400_000).toBeCloseTo(7, 1);

    await cli('player', 'unban', 'mallory');
    expect((await client.get('/api/bind', { token })).body.code).toBe('invalid_token');
    const second = (await login()).body.token;
    await cli('player', 'sign-out', 'mallory');
    expect((await client.get('/api/bind', { token: second })).body.code).toBe('invalid_token');

    expect(await setPassword(client, 'mallory', 'short')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('8 to 72 characters'),
    });
    expect((await setPassword(client, 'mallory', 'Brand-New-Horse-7')).code).toBe(0);
    expect((await login()).status).toBe(401);
    expect((await login('Brand-New-Horse-7')).status).toBe(200);

    const shown = await cli('player', 'show', 'mallory', '--json');
    expect(JSON.parse(shown.stdout)).toMatchObject({ account: 'Mallory', status: 'active' });
    expect(shown.stdout).not.toContain('password_hash');
    expect(await cli('player', 'show', 'nobody')).toMatchObject({
      code: 3,
      stderr: 'gatehouse: there is no account nobody\n',
    });
  });

  test('when a player is muted, then game servers see it until the mute is lifted', async () => {
    const client = await startOperatorApp(await engine.freshUrl());
    const { cli } = client;
    const { token } = (await client.post('/api/login', { account: 'mallory', password: PASSWORD })).body;
    const check = async () => (await client.post('/api/check', { account: 'mallory', token })).body;
    expect(await cli('player', 'mute', 'mallory')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--until'),
    });
    expect((await cli('player', 'mute', 'mallory', '--until', '2020-01-31')).code).toBe(2);
    expect((await cli('player', 'mute', 'nobody', '--until', '1h')).code).toBe(3);

    const until = '2130-01-31T12:00:00.000Z';
    const muted = await cli('player', 'mute', 'MALLORY', '--until', until, '--reason', 'spam', '--json');
    expect(JSON.parse(muted.stdout)).toEqual({ account: 'MALLORY', muted_until: until });
    expect(await check()).toMatchObject({ muted_until: until, mute_reason: 'spam' });
    const shown = await cli('player', 'show', 'mallory', '--json');
    expect(JSON.parse(shown.stdout)).toMatchObject({ muted_until: until, mute_reason: 'spam' });
    expect((await cli('player', 'unmute', 'mallory')).stdout).toBe('mallory may chat again\n');
    expect(await check()).not.toHaveProperty('muted_until');
  });

  test('when two-factor login is reset, then the password alone logs in and earlier tokens have ended', async () => {
    stopClock();
    const client = await startOperatorApp(await engine.freshUrl());
    const { cli } = client;
    const login = () => client.post('/api/login', { account: 'mallory', password: PASSWORD });
    const { token } = (await login()).body;
    await turnOn(client, token);
    expect((await login()).body.code).toBe('second_factor_required');
    const isOn = async () => JSON.parse((await cli('player', 'show', 'mallory', '--json')).stdout).two_factor;
    expect(await isOn()).toBe(true);

    expect(await cli('player', 'reset-two-factor', 'mallory', '--reason', 'lost phone')).toMatchObject({
      code: 0,
      stdout: 'mallory logs in without a second factor\n',
    });
    expect(await isOn()).toBe(false);
    expect((await client.get('/api/bind', { token })).body.code).toBe('invalid_token');
    expect((await login()).status).toBe(200);
    expect((await cli('player', 'reset-two-factor', 'nobody')).code).toBe(3);
  });

  test('when promoters are added and closed, then the list shows them', async () => {
    const { cli } = await startOperatorApp(await engine.freshUrl());
    expect((await cli('promoter', 'add', '张三')).stdout).toBe(
      'promoter 1 added; its link is /login?agent_id=1\n',
    );
    await cli('promoter', 'close', '1');
    expect(JSON.parse((await cli('promoter', 'list', '--json')).stdout)).toEqual([
      { agent_id: 1, name: '张三', status: 'closed', created_at: expect.any(String) },
    ]);
    expect((await cli('migrate')).stdout).toBe('nothing to do\n');
  });

  test('when imported players carry promoters of the old generation, then a new promoter inherits none of them', async () => {
    const { cli, db, folder } = await startOperatorApp(await engine.freshUrl());
    const players = [7, 7, 90].map((agent_id, index) => ({ account: `Old${index}`, agent_id }));
    await db.kysely.insertInto('player').values(players).execute();
    expect(JSON.parse((await cli('promoter', 'add', 'New', '--json')).stdout)).toEqual({
      agent_id: 91,
      name: 'New',
      players: 0,
    });
    expect((await cli('promoter', 'add', 'Next')).stdout).toContain('promoter 92 added');
    expect((await cli('promoter', 'add', '老张', '--id', '7')).stdout).toContain(
      '; 2 players already have this ID',
    );
    expect(await cli('promoter', 'add', 'Again', '--id', '7')).toMatchObject({
      stderr: 'gatehouse: promoter 7 already exists\n',
    });

    const file = join(folder, 'agents.csv');
    writeFileSync(file, 'agent_id,name,status\n90,老李,\n8,老王,closed\n7,somebody,\n');
    expect(JSON.parse((await cli('promoter', 'import', file, '--json')).stdout)).toEqual({
      added: 2,
      kept: [7],
    });
    const listed = JSON.parse((await cli('promoter', 'list', '--json')).stdout) as {
      agent_id: number;
      status: string;
    }[];
    expect(listed.map(({ agent_id, status }) => [agent_id, status])).toEqual([
      [7, 'active'],
      [8, 'closed'],
      [90, 'active'],
      [91, 'active'],
      [92, 'active'],
    ]);
    writeFileSync(file, 'agent_id,nmae\n1,x\n');
    expect((await cli('promoter', 'import', file)).stderr).toContain(
      'the columns must be agent_id, name, status',
    );
  });
});
