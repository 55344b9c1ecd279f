import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import type { Fault } from '@gatehouse/simulators/zone';
import { expect, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { freePort } from '../../test-support/process.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { zoneStore } from '../src/features/zones/store.ts';
import { startGameServer } from './support/game-server.ts';
import {
  addPlayerWithRole,
  daySum,
  eventsOf,
  openRecords,
  recordOf,
  startWithdrawApp,
} from './support/withdraw-app.ts';

describeByTier('behaviour of the game server', (engine) => {
  const unclear: Fault[] = [
    'drop_before',
    'drop_after',
    'garbage_before',
    'garbage_after',
    'http_500_before',
    'http_500_after',
    'half_answer',
    'twice',
    'redirect',
    'huge',
  ];
  const late: Fault[] = ['timeout_before', 'timeout_after', 'drip', 'delay:8000'];

  // A short timeout only where it must expire: a process that is suspended that long before it connects sends nothing.
  test.each([
    ['is not recognised beyond doubt', unclear, {}],
    ['does not come in time', late, { gm: { timeout: 3 } }],
  ] as const)(
    'when its answer %s, then the outcome is unknown and the role is blocked',
    async (_, faults, settings) => {
      const app = await startWithdrawApp(await engine.freshUrl(), { settings });
      const cases = await Promise.all(
        faults.map(async (fault, index) => ({
          fault,
          ...(await addPlayerWithRole(app, 1000, `player${index}`)),
        })),
      );
      app.zone.setFaults(({ roleid }) => cases.find(({ role }) => String(role.id) === roleid)?.fault ?? 'ok');

      const withdrawBy = async ({ fault, player, body }: (typeof cases)[number]) => {
        const reply = await app.withdraw(player, body, 'k');
        expect([fault, reply.status, reply.body.state]).toEqual([fault, 202, 'unknown']);
        expect(reply.body).not.toHaveProperty('balance_after');
        const record = await recordOf(app, reply.body.withdraw_id);
        expect(record).toMatchObject({ state: 'unknown', open_key: `1:${record.role_id}` });

        expect((await app.withdraw(player, body, 'k')).text).toBe(reply.text);
        expect((await app.withdraw(player, body)).body.code).toBe('withdraw_in_progress');
        expect(await daySum(app, player)).toBe(100);
      };
      await Promise.all(cases.map(withdrawBy));
      expect(app.zone.requests).toHaveLength(faults.length);
      expect(app.zone.redirectsFollowed).toEqual([]);
      const { unknown } = await app.service.features.withdraw.reports.open();
      expect(unknown).toMatchObject({ amount: faults.length * 100, oldestAmount: 100 });
      expect(unknown.oldestAgeMs).toBeGreaterThan(0);
    },
  );

  test('when it clearly refuses, then nothing was taken and the role is free again', async () => {
    const app = await startWithdrawApp(await engine.freshUrl());
    const { player, body } = await addPlayerWithRole(app);
    app.zone.setFaults(['refuse', 'not_enough']);

    for (const key of ['first', 'second']) {
      const reply = await app.withdraw(player, body, key);
      expect([reply.status, reply.body.code]).toEqual([409, 'deduction_refused']);
      expect((await recordOf(app, reply.body.withdraw_id)).state).toBe('failed');
      expect((await app.withdraw(player, body, key)).body.code).toBe('deduction_refused');
    }
    expect((await app.withdraw(player, body)).status).toBe(200);
    expect(app.zone.journal()).toHaveLength(3);
  });

  test('when its port is closed, then the withdrawal fails and takes nothing, and soon no connection is tried at all', async () => {
    const port = await freePort();
    const app = await startWithdrawApp(await engine.freshUrl(), {
      row: { gm_url: `http://127.0.0.1:${port}/gm` },
    });
    const { player, body } = await addPlayerWithRole(app);

    const why = [];
    for (let times = 0; times < 22; times++) {
      const reply = await app.withdraw(player, body);
      expect([reply.status, reply.body.code]).toEqual([502, 'game_server_unavailable']);
      const events = await eventsOf(app, reply.body.withdraw_id);
      expect(events.at(-1)).toMatchObject({ from_state: 'sending', to_state: 'failed' });
      why.push(events.at(-1)?.why);
    }

    expect(why[0]).toContain('ECONNREFUSED');
    expect(why[21]).toContain('too often');
    expect(await daySum(app, player)).toBe(0);
    expect(await openRecords(app)).toEqual([]);
    const text = await app.service.metrics.text();
    expect(text).toContain('gatehouse_gm_calls_total{server_id="1",call="deduct",outcome="not_sent"} 20');
    expect(text).toContain('gatehouse_gm_calls_total{server_id="1",call="deduct",outcome="rejected"} 2');
    expect(text).toContain('gatehouse_gm_breaker_open{server_id="1"} 1');
  });

  test('when it starts and stops failing, then one of the instances logs each once, and operators see since when', async () => {
    const app = await startWithdrawApp(await engine.freshUrl(), {
      row: { gm_url: `http://127.0.0.1:${await freePort()}/gm` },
    });
    const other = await app.startInstance();
    const { player, body } = await addPlayerWithRole(app);
    const logged = (msg: string) =>
      readFileSync((app.settings.log as { file: string }).file, 'utf8')
        .split('\n')
        .filter((line) => line.includes(msg))
        .map((line) => JSON.parse(line));
    const since = () =>
      zoneStore(app.db)
        .all()
        .then(([zone]) => zone?.gmFailingSince ?? null);

    for (const instance of [app, other, app])
      expect((await instance.withdraw(player, body)).status).toBe(502);
    await expect.poll(since).not.toBeNull();
    const began = await since();
    await expect.poll(() => logged('GM interface of a zone fails').length).toBe(1);
    expect(logged('GM interface of a zone fails')).toMatchObject([
      { level: 'warn', server_id: 1, why: expect.stringContaining('ECONNREFUSED') },
    ]);

    await app.db.kysely.updateTable('server').set({ gm_url: app.zone.gmUrl }).execute();
    // Withdrawals sent to the old address meanwhile would open the breaker and reach the player's limit.
    await expect.poll(() => other.service.features.zones.cache.find(1)?.gmUrl).toBe(app.zone.gmUrl);
    expect((await other.withdraw(player, body)).status).toBe(200);
    await expect.poll(since).toBeNull();
    await expect.poll(() => logged('GM interface of a zone works again').length).toBe(1);
    expect(logged('GM interface of a zone works again')).toMatchObject([
      { level: 'info', server_id: 1, since: new Date(began ?? 0).toISOString() },
    ]);
    expect(logged('GM interface of a zone fails')).toHaveLength(1);
  });
});

test('when a request has an id and a trace, then the log and the GM command carry both, and no malformed trace', async () => {
  const seen: IncomingHttpHeaders[] = [];
  const game = await startGameServer((request, response) => {
    seen.push(request.headers);
    response.end('{"result":0}');
  });
  const app = await startWithdrawApp(freshSqlite(), { row: { gm_url: game.url } });
  const { player, body } = await addPlayerWithRole(app);
  const traceId = '0af7651916cd43dd'.repeat(2);
  const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
  const ids = { 'x-request-id': '5b0c91fe6a3d4c2f8e7d1a2b3c4d5e6f', traceparent };
  const send = (headers: Record<string, string>) =>
    app.from('198.18.0.1').post('/api/game/withdraw', body, { token: player.token, headers });

  const { withdraw_id } = (await send(ids)).body;
  await send({ ...ids, traceparent: `00-${'0'.repeat(32)}-b7ad6b7169203331-01` });
  expect(seen.map((headers) => headers['x-request-id'])).toEqual([ids['x-request-id'], ids['x-request-id']]);
  expect(seen[0]?.traceparent).toMatch(new RegExp(`^00-${traceId}-(?!b7ad6b7169203331)[0-9a-f]{16}-01$`));
  expect(seen[1]).not.toHaveProperty('traceparent');
  const named = { withdraw_id, request_id: ids['x-request-id'], traceparent };
  const lines = () =>
    readFileSync((app.settings.log as { file: string }).file, 'utf8')
      .split('\n')
      .filter((line) => line.includes(withdraw_id))
      .map((line) => JSON.parse(line));
  await expect.poll(() => lines().length).toBe(2);
  expect(lines()).toMatchObject([
    { ...named, msg: 'a withdrawal was accepted' },
    { ...named, msg: 'a withdrawal ended', state: 'done', server_id: 1 },
  ]);
  expect(JSON.parse((await eventsOf(app, withdraw_id))[0]?.detail ?? '')).toMatchObject({ traceparent });
});
