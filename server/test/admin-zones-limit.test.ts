import { expect, test } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import { makeOperator } from './support/operator.ts';
import { legacyHash, PASSWORD, startTestApp, type TestApp } from './support/test-app.ts';

const reason = 'tried';

/** Requests of zone 1's operator that name zone 2, and the expected code. */
const ofAnotherZone: [method: string, path: string, body: object | undefined, code: string][] = [
  ['GET', 'dashboard?days=1&server_id=2', undefined, 'server_not_found'],
  ['GET', 'withdrawals?server_id=2', undefined, 'server_not_found'],
  ['GET', 'withdrawals/w-2', undefined, 'withdraw_not_found'],
  ['POST', 'withdrawals/w-2/settle', { state: 'done', reason }, 'withdraw_not_found'],
  ['POST', 'withdrawals/w-2/receipt', {}, 'withdraw_not_found'],
  ['GET', 'chat?server_id=2', undefined, 'server_not_found'],
  ['GET', 'chat/2/context', undefined, 'not_found'],
  ['GET', 'audit?server_id=2', undefined, 'server_not_found'],
  ['PATCH', 'zones/2', { name: 'Mine' }, 'server_not_found'],
  ['POST', 'zones/status', { server_ids: [1, 2], status: 'open', reason }, 'server_not_found'],
  ['POST', 'zones/2/test', undefined, 'server_not_found'],
  ['POST', 'zones/2/merge', { into: 1, reason }, 'server_not_found'],
  ['POST', 'zones/1/merge', { into: 2, reason }, 'server_not_found'],
  ['PATCH', 'zones/1', { address: '10.6.6.6' }, 'permission_denied'],
  ['PATCH', 'zones/1', { port: 1 }, 'permission_denied'],
  ['PATCH', 'zones/1', { gm_url: 'http://10.6.6.6/gm' }, 'permission_denied'],
  ['PATCH', 'zones/1', { database_url: 'mysql://u:p@10.6.6.6:3306' }, 'permission_denied'],
  ['POST', 'zones', { server_id: 3, name: 'Three', address: '127.0.0.1', port: 3 }, 'permission_denied'],
];

const playerChanges = {
  ban: { reason },
  unban: { reason },
  sign_out: {},
  unlock: { reason },
  reset_password: { reason },
  email: { email: 'mine@example.com', reason },
  notes: { text: 'seen' },
};

async function addZone({ db }: TestApp, server_id: number): Promise<void> {
  await db.kysely
    .insertInto('server')
    .values({ server_id, name: `Z${server_id}`, address: '127.0.0.1', port: 9 })
    .execute();
}

describeOnEngines('an operator of one zone', (engine) => {
  test('when players are listed, then only those who entered the zone or chose it are included', async () => {
    const app = await startTestApp(await engine.freshUrl(), { console: { require_totp: false } });
    const limited = await makeOperator(app, { name: 'limited', role: 'admin', zones: [1] });
    for (const server_id of [1, 2]) await addZone(app, server_id);
    await expect.poll(() => app.features.zones.cache.all()).toHaveLength(2);
    const ip = '203.0.113.9';
    for (const [account, server_id] of [
      ['chose', 1],
      ['other', 2],
      ['came', 2],
    ] as const)
      await app.db.kysely
        .insertInto('player')
        .values({
          account,
          server_id,
          ip,
          email: `${account}@example.com`,
          password_hash: legacyHash(PASSWORD),
        })
        .execute();
    // Long ago: the last zone is a different one now.
    const { token } = (await app.post('/api/login', { account: 'came', password: PASSWORD })).body;
    for (const server_id of [1, 2]) await app.post('/api/enter_game', { server_id }, { token });

    const found = async (query: string) =>
      (await limited.get(`players${query}`)).body.players.map((each: { account: string }) => each.account);
    for (const query of ['', `?q=${ip}`, '?limit=3']) expect(await found(query)).toEqual(['came', 'chose']);
    for (const query of ['?q=other', '?q=other%40example.com', '?q=2', '?status=active&q=oth'])
      expect(await found(query)).toEqual([]);
    const file = await limited.get('players', { headers: { accept: 'text/csv' } });
    expect(file.text.trim().split('\r\n')).toHaveLength(3);
    await app.features.history.flush();
    const { logins, last_server_id } = (await limited.get('players/3')).body;
    const zonesSeen = logins.map(({ server_id }: { server_id: number | null }) => server_id);
    expect([last_server_id, new Set(zonesSeen)]).toEqual([null, new Set([null, 1])]);
    const { same_address } = (await limited.get('players/1')).body;
    expect(same_address).toMatchObject([{ account: 'came' }]);

    await app.db.kysely
      .insertInto('player')
      .values({
        account: 'by-sql',
        email: 'sql@example.com',
        password_hash: legacyHash(PASSWORD),
        last_server_id: 1,
      })
      .execute();
    expect(await found('?limit=2')).toEqual(['by-sql', 'came']);

    const before = await app.db.kysely.selectFrom('player').selectAll().orderBy('id').execute();
    for (const [path, body] of Object.entries(playerChanges))
      expect(await limited.post(`players/2/${path}`, body)).toMatchObject({
        status: 404,
        body: { code: 'account_not_found' },
      });
    expect((await limited.get('players/2')).body.code).toBe('account_not_found');
    expect(await app.db.kysely.selectFrom('player').selectAll().orderBy('id').execute()).toEqual(before);
    expect((await limited.post('players/3/notes', { text: 'seen' })).status).toBe(201);
  });

  test('when another zone is named, then it is not found; the operator’s own is', async () => {
    const app = await startTestApp(await engine.freshUrl(), { console: { require_totp: false } });
    const limited = await makeOperator(app, { name: 'limited', role: 'admin', zones: [1] });
    const { kysely } = app.db;
    for (const server_id of [1, 2]) {
      await addZone(app, server_id);
      await kysely
        .insertInto('chat')
        .values({ server_id, content: `zone ${server_id}` })
        .execute();
      await kysely
        .insertInto('withdraw')
        .values({
          id: `w-${server_id}`,
          player_id: 1,
          server_id,
          amount: 5,
          state: 'unknown',
          open_key: `${server_id}:1`,
        } as never)
        .execute();
    }
    const before = await kysely.selectFrom('server').selectAll().orderBy('server_id').execute();
    for (const [method, path, body, code] of ofAnotherZone) {
      const answer = await limited.send(method, path, body);
      expect([path, answer.body.code]).toEqual([path, code]);
    }
    expect(await kysely.selectFrom('server').selectAll().orderBy('server_id').execute()).toEqual(before);

    const seen = async (path: string, list: string) =>
      (await limited.get(path)).body[list].map((each: { server_id: number }) => each.server_id);
    expect(await seen('zones', 'zones')).toEqual([1]);
    expect(await seen('withdrawals', 'withdrawals')).toEqual([1]);
    expect(await seen('chat', 'chat')).toEqual([1]);
    // The owner of a withdrawal is found by its id only if it is one of the operator's zones.
    const owner = { account: 'owner', password_hash: '', server_id: 1 };
    await kysely
      .insertInto('player')
      .values({ id: 1, ...owner })
      .execute();
    const ids = [1, 2].map((server_id) => `0190f3a2-1111-7abc-8def-01234567890${server_id}`);
    await kysely
      .insertInto('withdraw')
      .values(
        ids.map(
          (id, index) => ({ id, player_id: 1, server_id: index + 1, amount: 5, state: 'done' }) as never,
        ),
      )
      .execute();
    const found = ids.map(async (id) => (await limited.get(`players?q=${id}`)).body.players.length);
    expect(await Promise.all(found)).toEqual([1, 0]);
    await kysely.deleteFrom('withdraw').where('id', 'in', ids).execute();
    const file = await limited.get('withdrawals', { headers: { accept: 'text/csv' } });
    expect(file.text.trim().split('\r\n')).toHaveLength(2);
    const settled = await limited.post('withdrawals/w-1/settle', { state: 'done', reason });
    expect([settled.status, settled.body.state]).toEqual([200, 'done']);
  });
});
