import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Fault } from '@gatehouse/simulators/zone';
import { describe, expect, onTestFinished, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { freePort } from '../../test-support/process.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { zoneStore } from '../src/features/zones/store.ts';
import type { DrivenZone } from '../src/integrations/zone-driver.ts';
import {
  addPlayerWithRole,
  daySum,
  eventsOf,
  openRecords,
  recordOf,
  startWithdrawApp,
  type WithdrawApp,
} from './support/withdraw-app.ts';

const quick = { settings: { gm: { timeout: 1 } } };

/** Starts a custom game server. */
async function gameServer(handle: RequestListener): Promise<{ url: string; seen: string[] }> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(request.url ?? '');
    handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/gm`, seen };
}

/** Withdraws from an app whose game server answers with this body. */
async function answeredWith(body: string, status = 200) {
  const game = await gameServer((_request, response) => response.writeHead(status).end(body));
  const app = await startWithdrawApp(freshSqlite(), { row: { gm_url: game.url } });
  const { player, body: withdrawal } = await addPlayerWithRole(app);
  const reply = await app.withdraw(player, withdrawal);
  return { game, app, reply };
}

describeByTier('what the game server does', (engine) => {
  const unclear: Fault[] = [
    'timeout_before',
    'timeout_after',
    'drop_before',
    'drop_after',
    'garbage_before',
    'garbage_after',
    'http_500_before',
    'http_500_after',
    'half_answer',
    'twice',
    'redirect',
    'drip',
    'huge',
    'delay:2500',
  ];

  test('when its answer is not recognised beyond doubt, then the outcome is unknown and the role is blocked', async () => {
    const app = await startWithdrawApp(await engine.freshUrl(), quick);
    const cases = await Promise.all(
      unclear.map(async (fault, index) => ({
        fault,
        ...(await addPlayerWithRole(app, 1000, `player${index}`)),
      })),
    );
    app.zone.setFaults(({ roleid }) => cases.find(({ role }) => String(role.id) === roleid)?.fault ?? 'ok');

    for (const { fault, player, body } of cases) {
      const reply = await app.withdraw(player, body, 'k');
      expect([fault, reply.status, reply.body.state]).toEqual([fault, 202, 'unknown']);
      expect(reply.body).not.toHaveProperty('balance_after');
      const record = await recordOf(app, reply.body.withdraw_id);
      expect(record).toMatchObject({ state: 'unknown', open_key: `1:${record.role_id}` });

      expect((await app.withdraw(player, body, 'k')).text).toBe(reply.text);
      expect((await app.withdraw(player, body)).body.code).toBe('withdraw_in_progress');
      expect(await daySum(app, player)).toBe(100);
    }
    expect(app.zone.requests).toHaveLength(unclear.length);
    expect(app.zone.redirectsFollowed).toEqual([]);
    const { unknown } = await app.service.features.withdraw.reports.open();
    expect(unknown).toMatchObject({ amount: unclear.length * 100, oldestAmount: 100 });
    expect(unknown.oldestAgeMs).toBeGreaterThan(0);
  });

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

  test('when nobody listens there, then it fails, is given back, and soon nobody is sent there at all', async () => {
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

  test('when it begins and ceases to fail, then one of the instances logs each once, and operators see since when', async () => {
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
    await expect.poll(async () => (await other.withdraw(player, body)).status, { timeout: 10_000 }).toBe(200);
    await expect.poll(since).toBeNull();
    await expect.poll(() => logged('GM interface of a zone works again').length).toBe(1);
    expect(logged('GM interface of a zone works again')).toMatchObject([
      { level: 'info', server_id: 1, since: new Date(began ?? 0).toISOString() },
    ]);
    expect(logged('GM interface of a zone fails')).toHaveLength(1);
  });
});

test('when a request names itself and a trace, then the log and the GM command carry both, and no malformed trace', async () => {
  const seen: IncomingHttpHeaders[] = [];
  const game = await gameServer((request, response) => {
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

describe('what counts as an answer', () => {
  const success = ['{"result":0}', '{"code":"0"}', '\ufeff{"result":0}', '{"result":0,"code":5}'];
  test.each(success)('when it answers %s, then it is done', async (body) => {
    const { reply } = await answeredWith(body);
    expect([reply.status, reply.body.balance_after]).toEqual([200, 900]);
  });

  test.each(['{"result":1}', '{"code":-1,"msg":"no"}', '{"result":"7"}', '{"result":false}'])(
    'when it answers %s, then it is refused',
    async (body) => {
      const { reply } = await answeredWith(body);
      expect([reply.status, reply.body.code]).toEqual([409, 'deduction_refused']);
    },
  );

  const unclear: [string, number][] = [
    ['{"result":0}{"result":0}', 200],
    ['[{"result":0}]', 200],
    ['0', 200],
    ['', 200],
    ['{"result":null}', 200],
    ['{"result":{}}', 200],
    ['{"result":true}', 200],
    ['{"result":"ok"}', 200],
    ['{"result":""}', 200],
    ['{"result":0.5}', 200],
    ['{"msg":"ok"}', 200],
    ['{"__proto__":{"result":0}}', 200],
    ['{"result":0}', 201],
    ['{"result":0}', 502],
    ['{"result":1}', 403],
    ['{"result":0}', 421],
  ];
  test.each(unclear)(
    'when it answers %s with %i, then it is unknown, and it was asked once',
    async (body, status) => {
      const { game, app, reply } = await answeredWith(body, status);
      expect([reply.status, reply.body.state]).toEqual([202, 'unknown']);
      expect(game.seen).toHaveLength(1);
      const events = await eventsOf(app, reply.body.withdraw_id);
      expect(JSON.parse(events.at(-1)?.detail ?? '')).toMatchObject({ status, answer: body });
    },
  );

  test('when it answers at great length, then the first 2 KB are kept', async () => {
    const { app, reply } = await answeredWith(`{"result":7,"msg":"${'x'.repeat(10_000)}"}`);
    const events = await eventsOf(app, reply.body.withdraw_id);
    expect(JSON.parse(events.at(-1)?.detail ?? '').answer).toHaveLength(2048);
  });

  test('when it answers twice on one connection, then the second answer reaches nobody', async () => {
    const app = await startWithdrawApp(freshSqlite());
    const { player, body } = await addPlayerWithRole(app);
    app.zone.setFaults(['twice_on_wire', 'refuse']);
    expect((await app.withdraw(player, body)).status).toBe(200);
    expect((await app.withdraw(player, body)).body.code).toBe('deduction_refused');
  });
});

describe('how the command is sent', () => {
  const names = ['A&amount=1', '名字 +%=#?', '"quoted"', "O'Hara"];

  test.each([
    ['GET', 1],
    ['POST', 1],
    ['GET', 2],
    ['POST', 2],
  ] as const)(
    'when it goes by %s, signed in version %i, then every name arrives as it is',
    async (method, signature_version) => {
      const gm = { method, key: 'the GM key', signature_version };
      const zone = { gmKey: gm.key, gmSignatureVersion: signature_version };
      const app = await startWithdrawApp(freshSqlite(), { settings: { gm }, zone });
      const player = await app.player('alice');
      for (const name of names) {
        await app.zone.addRole({ account: 'alice', name, balance: 100 });
        expect((await app.withdraw(player, { server_id: 1, role: name, amount: 7 })).status).toBe(200);
      }
      expect(app.zone.requests.map(({ params }) => params.rolename)).toEqual(names);
      expect(new Set(app.zone.requests.map((request) => request.method))).toEqual(new Set([method]));
      await expectNoSecret(app, gm.key);
    },
  );

  test('when signatures are of version 2, then a role’s name cannot sign like another parameter', async () => {
    const key = 'the GM key';
    const encoded = (text: string) => encodeURIComponent(text).replace(/'/g, '%27');
    const signed: boolean[] = [];
    const game = await gameServer((request, response) => {
      const params = new URL(request.url ?? '', 'http://x').searchParams;
      const pairs = [...params].filter(([name]) => name !== 'sign').sort(([a], [b]) => (a < b ? -1 : 1));
      const text = pairs.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
      signed.push(params.get('sign') === createHmac('sha256', key).update(text).digest('hex'));
      response.end('{"result":0}');
    });
    // Set for all zones, and for this one alone.
    for (const [gm, own] of [
      [{ signature_version: 2 }, {}],
      [{ receipt_operation: 10031 }, { gm_signature_version: 2, gm_receipts: 0 }],
    ]) {
      const row = { gm_url: game.url, ...own };
      const app = await startWithdrawApp(freshSqlite(), { settings: { gm: { key, ...gm } }, row });
      const player = await app.player('alice');
      for (const name of ["O'Hara", 'mule&serverid=2']) {
        await app.zone.addRole({ account: 'alice', name, balance: 100 });
        expect((await app.withdraw(player, { server_id: 1, role: name, amount: 7 })).status).toBe(200);
      }
      const { drivers, zoneOf } = app.service.features.withdraw;
      expect(drivers(zoneOf(1) as DrivenZone).receipt).toBeUndefined();
    }
    expect(signed).toEqual([true, true, true, true]);
  });

  test('when gm_url leads to a host that is not allowed, then nothing is sent there', async () => {
    const game = await gameServer((_request, response) => response.end('{"result":0}'));
    const byName = game.url.replace('127.0.0.1', 'localhost');
    const withdrawn = async (gm_url: string, allowed_hosts: string[] = []) => {
      const app = await startWithdrawApp(freshSqlite(), {
        settings: { zones: { allowed_hosts } },
        row: { gm_url },
      });
      const { player, body } = await addPlayerWithRole(app);
      const { body: answer } = await app.withdraw(player, body);
      return answer.code === undefined ? answer.state : (await eventsOf(app, answer.withdraw_id)).at(-1)?.why;
    };
    const refused = expect.stringMatching(/^not sent: .* is not in zones\.allowed_hosts$/);
    expect(await withdrawn('http://169.254.169.254/latest/meta-data')).toEqual(refused);
    expect(await withdrawn('http://[::ffff:169.254.169.254]/latest')).toEqual(refused);
    expect(await withdrawn(game.url, ['10.0.0.0/8'])).toEqual(refused);
    expect(await withdrawn(byName, ['10.0.0.0/8', 'gm.example.com'])).toEqual(refused);
    expect(game.seen).toEqual([]);
    expect(await withdrawn(byName, ['localhost'])).toBe('done');
    expect(await withdrawn(game.url, ['127.0.0.0/8'])).toBe('done');
  });

  test('when the key is wrong, then the game refuses and nothing is taken', async () => {
    const app = await startWithdrawApp(freshSqlite(), {
      settings: { gm: { key: 'ours' } },
      zone: { gmKey: 'theirs' },
    });
    const { player, body } = await addPlayerWithRole(app);
    expect((await app.withdraw(player, body)).body.code).toBe('deduction_refused');
    expect(app.zone.deductions()).toEqual([]);
  });

  test('when the settings name other parameters and another success, then they are used', async () => {
    const game = await gameServer((_request, response) => response.end('{"status":"OK"}'));
    const gm = {
      operation: 77,
      params: {
        operation: 'cmd',
        server_id: 'sid',
        role_id: 'rid',
        role_name: 'rn',
        amount: 'num',
        order: 'sn',
      },
      success: { fields: ['status'], value: 'OK' },
    };
    const app = await startWithdrawApp(freshSqlite(), {
      settings: { gm },
      row: { gm_url: `${game.url}?app=1` },
    });
    const { player, role, body } = await addPlayerWithRole(app);

    const reply = await app.withdraw(player, body);

    expect(reply.status).toBe(200);
    const query = new URLSearchParams(game.seen[0]?.split('?')[1]);
    expect(Object.fromEntries(query)).toEqual({
      app: '1',
      cmd: '77',
      sid: '1',
      rid: String(role.id),
      rn: role.name,
      num: '100',
      sn: reply.body.withdraw_id,
    });
  });

  test('when the zone has no GM address, then nothing goes on', async () => {
    for (const gm_url of [null, 'file:///etc/passwd', 'nonsense']) {
      const app = await startWithdrawApp(freshSqlite(), { row: { gm_url } });
      const { player, body } = await addPlayerWithRole(app);
      expect((await app.withdraw(player, body)).body.code).toBe('game_server_unavailable');
    }
  });
});

async function expectNoSecret({ db }: WithdrawApp, secret: string): Promise<void> {
  const events = await db.kysely.selectFrom('withdraw_event').select('detail').execute();
  const details = events.map(({ detail }) => detail);
  expect(details.join()).not.toContain(secret);
  expect(details.join()).not.toContain('"sign"');
}
