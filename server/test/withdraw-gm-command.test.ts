import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { freshSqlite } from '../../test-support/sqlite.ts';
import type { DrivenZone } from '../src/integrations/zone-driver.ts';
import { startGameServer } from './support/game-server.ts';
import { addPlayerWithRole, eventsOf, startWithdrawApp, type WithdrawApp } from './support/withdraw-app.ts';

/** Withdraws from an app whose game server answers with this body. */
async function answeredWith(body: string, status = 200) {
  const game = await startGameServer((_request, response) => response.writeHead(status).end(body));
  const app = await startWithdrawApp(freshSqlite(), { row: { gm_url: game.url } });
  const { player, body: withdrawal } = await addPlayerWithRole(app);
  const reply = await app.withdraw(player, withdrawal);
  return { game, app, reply };
}

describe('recognised answers', () => {
  const success = ['{"result":0}', '{"code":"0"}', '\ufeff{"result":0}', '{"result":0,"code":5}'];
  test.each(success)('when the game answers %s, then it is done', async (body) => {
    const { reply } = await answeredWith(body);
    expect([reply.status, reply.body.balance_after]).toEqual([200, 900]);
  });

  test.each(['{"result":1}', '{"code":-1,"msg":"no"}', '{"result":"7"}', '{"result":false}'])(
    'when the game answers %s, then it is refused',
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
    'when the game answers %s with %i, then it is unknown, and one command was sent',
    async (body, status) => {
      const { game, app, reply } = await answeredWith(body, status);
      expect([reply.status, reply.body.state]).toEqual([202, 'unknown']);
      expect(game.seen).toHaveLength(1);
      const events = await eventsOf(app, reply.body.withdraw_id);
      expect(JSON.parse(events.at(-1)?.detail ?? '')).toMatchObject({ status, answer: body });
    },
  );

  test('when the game answers at great length, then the first 2 KB are stored', async () => {
    const { app, reply } = await answeredWith(`{"result":7,"msg":"${'x'.repeat(10_000)}"}`);
    const events = await eventsOf(app, reply.body.withdraw_id);
    expect(JSON.parse(events.at(-1)?.detail ?? '').answer).toHaveLength(2048);
  });

  test('when the game answers twice on one connection, then the second answer is dropped', async () => {
    const app = await startWithdrawApp(freshSqlite());
    const { player, body } = await addPlayerWithRole(app);
    app.zone.setFaults(['twice_on_wire', 'refuse']);
    expect((await app.withdraw(player, body)).status).toBe(200);
    expect((await app.withdraw(player, body)).body.code).toBe('deduction_refused');
  });
});

describe('the command as sent', () => {
  const names = ['A&amount=1', '名字 +%=#?', '"quoted"', "O'Hara"];

  test.each([
    ['GET', 1],
    ['POST', 1],
    ['GET', 2],
    ['POST', 2],
  ] as const)(
    'when it is sent by %s, signed in version %i, then every name arrives unchanged',
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
    const game = await startGameServer((request, response) => {
      const params = new URL(request.url ?? '', 'http://x').searchParams;
      const pairs = [...params].filter(([name]) => name !== 'sign').sort(([a], [b]) => (a < b ? -1 : 1));
      const text = pairs.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
      signed.push(params.get('sign') === createHmac('sha256', key).update(text).digest('hex'));
      response.end('{"result":0}');
    });
    // Set for all zones, and for this one only.
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

  test('when gm_url names a host that is not allowed, then nothing is sent there', async () => {
    const game = await startGameServer((_request, response) => response.end('{"result":0}'));
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

  test('when the password in gm_url has a bare percent sign, then it is sent unchanged', async () => {
    const sent: (string | undefined)[] = [];
    const game = await startGameServer(({ headers }, response) => {
      sent.push(headers.authorization);
      response.end('{"result":0}');
    });
    const gm_url = game.url.replace('//', '//op%40s:100%@');
    const app = await startWithdrawApp(freshSqlite(), { row: { gm_url } });
    const { player, body } = await addPlayerWithRole(app);
    expect((await app.withdraw(player, body)).body.state).toBe('done');
    expect(sent).toEqual([`Basic ${Buffer.from('op@s:100%').toString('base64')}`]);
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
    const game = await startGameServer((_request, response) => response.end('{"status":"OK"}'));
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

  test('when the zone has no GM address, then withdrawals are refused', async () => {
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
