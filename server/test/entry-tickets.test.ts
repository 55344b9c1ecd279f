import { expect, test } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import { makeOperator } from './support/operator.ts';
import { freshAddress, PASSWORD, startTestApp, type TestApp } from './support/test-app.ts';

const settings = {
  auth: { game_token: 'ticket', jwt_secret: 'the same secret on every instance' },
  console: { require_totp: false },
  code_throttle: { email: { limit: 5 } },
};
const zone = { name: 'zone', address: '10.1.1.1', port: 7000 };

async function startWithZones(url: string): Promise<TestApp> {
  const app = await startTestApp(url, settings);
  await app.db.kysely
    .insertInto('server')
    .values([1, 2, 3].map((server_id) => ({ ...zone, server_id })))
    .execute();
  await expect.poll(() => app.features.zones.cache.all()).toHaveLength(3);
  return app;
}

async function ticketOf(app: TestApp, session: string, server_id = 1): Promise<string> {
  const { body } = await app.post('/api/enter_game', { server_id }, { token: session });
  expect(body.token).toMatch(/^[\w-]{43}$/);
  return body.token;
}

/** Moves a ticket's time into the past, or into the future if `ms` is negative. */
const backdate = ({ db }: TestApp, column: 'used_at' | 'expires_at', ms: number) =>
  db.kysely
    .updateTable('entry_ticket')
    .set(({ eb }) => ({ [column]: eb(column, '-', ms) }))
    .execute();

describeOnEngines('entry tickets', (engine) => {
  test('when a ticket is checked, then it is valid once, for its account and zone, and again for the same caller', async () => {
    const app = await startWithZones(await engine.freshUrl());
    const { token: session } = await app.register('Ticketed');
    await app.register('Other_one');
    const [gameServer, elsewhere] = [app.from(freshAddress()), app.from(freshAddress())];
    const ticket = await ticketOf(app, session, 2);
    const claim = { account: 'ticketed', token: ticket };

    const rows = await app.db.kysely.selectFrom('entry_ticket').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(ticket);
    expect((await app.get('/api/bind', { token: ticket })).status).toBe(401);
    // None of these consumes it.
    for (const wrong of [
      { ...claim, server_id: 1 },
      { ...claim, account: 'Other_one' },
      { ...claim, account: 'nobody' },
      { ...claim, token: ticket.toLowerCase() },
    ])
      expect((await gameServer.post('/api/check', wrong)).body.code).toBe('invalid_token');

    const answer = {
      valid: true,
      account: 'Ticketed',
      player_id: rows[0]?.player_id,
      format: 'ticket',
      server_id: 2,
    };
    const taken = await gameServer.post('/api/check', { ...claim, server_id: 2 });
    expect([taken.status, taken.body]).toEqual([200, answer]);
    // A slow machine may need more than ten seconds for the repetitions.
    await backdate(app, 'used_at', -60_000);
    expect((await elsewhere.post('/api/check', claim)).body.code).toBe('invalid_token');
    expect((await gameServer.form('/api/check', { ...claim, server_id: '2' })).body).toEqual(answer);
    expect((await gameServer.get(`/api/check?account=ticketed&token=${ticket}`)).body).toEqual(answer);
    await backdate(app, 'expires_at', 60_000);
    expect((await gameServer.post('/api/check', claim)).status).toBe(200);
    await backdate(app, 'used_at', 70_001);
    expect((await gameServer.post('/api/check', claim)).body.code).toBe('invalid_token');

    const late = await ticketOf(app, session);
    await backdate(app, 'expires_at', 60_000);
    expect((await gameServer.post('/api/check', { account: 'ticketed', token: late })).status).toBe(401);
    const byJwt = await gameServer.post('/api/check', { account: 'ticketed', token: session, server_id: 3 });
    expect(byJwt.body).toEqual({ ...answer, format: 'jwt', server_id: undefined });

    const merged = await ticketOf(app, session, 1);
    await app.db.kysely.updateTable('server').set({ merged_into: 3 }).where('server_id', '=', 1).execute();
    await expect.poll(() => app.features.zones.cache.currentId(1)).toBe(3);
    const named = { account: 'ticketed', token: merged };
    expect((await gameServer.post('/api/check', { ...named, server_id: 2 })).status).toBe(401);
    expect((await gameServer.post('/api/check', { ...named, server_id: 1 })).body.server_id).toBe(3);
    expect((await gameServer.post('/api/check', { ...named, server_id: 3 })).body.server_id).toBe(3);
  });

  test('when fifty callers present it concurrently on three instances, then only one address is accepted', async () => {
    const url = await engine.freshUrl();
    const app = await startWithZones(url);
    const instances = [app, await startTestApp(url, settings), await startTestApp(url, settings)];
    const { token: session } = await app.register('wanted');
    const claim = { account: 'wanted', token: await ticketOf(app, session) };
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const address = `203.0.113.${1 + Math.floor(index / 2)}`;
        const instance = instances[index % 3] as TestApp;
        return { address, status: (await instance.from(address).post('/api/check', claim)).status };
      }),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 401]));
    const winners = new Set(answers.filter(({ status }) => status === 200).map(({ address }) => address));
    expect(winners.size).toBe(1);
    // It may repeat its request on any instance, because the answer may be lost.
    await backdate(app, 'used_at', -60_000);
    for (const address of winners)
      for (const instance of instances)
        expect((await instance.from(address).post('/api/check', claim)).status).toBe(200);
  });

  test('when an instance still hands out JWTs, then it accepts tickets of the others, but none of a logged-out session', async () => {
    const url = await engine.freshUrl();
    const here = await startWithZones(url);
    const there = await startTestApp(url, { ...settings, auth: { ...settings.auth, game_token: 'jwt' } });
    const { token: leaving } = await here.register('leaving');
    const { body: other } = await here.post('/api/login', { account: 'leaving', password: PASSWORD });
    const [ended, kept] = [await ticketOf(here, leaving), await ticketOf(here, other.token)];
    const check = (app: TestApp, token: string) =>
      app.post('/api/check', { account: 'leaving', token, server_id: 1 });

    await here.post('/api/logout', {}, { token: leaving });
    await expect.poll(async () => (await there.get('/api/bind', { token: leaving })).status).toBe(401);
    for (const app of [here, there]) expect((await check(app, ended)).body.code).toBe('invalid_token');
    expect((await check(there, kept)).body).toMatchObject({ format: 'ticket', server_id: 1 });
    const { body } = await there.post('/api/enter_game', { server_id: 1 }, { token: other.token });
    expect((await check(here, body.token)).body).toMatchObject({ format: 'jwt' });
  });

  test('when a player is banned, signed out or has another password, then open tickets end', async () => {
    const app = await startWithZones(await engine.freshUrl());
    const boss = await makeOperator(app, { role: 'support' });
    await app.register('runner', { email: 'runner@example.com' });
    const { id } = await app.db.kysely.selectFrom('player').select('id').executeTakeFirstOrThrow();
    let password = PASSWORD;
    const check = async (token: string) =>
      (await app.post('/api/check', { account: 'runner', token })).body.code;
    let ticket = '';
    async function ended(end: (session: string) => Promise<unknown>) {
      const { body } = await app.from(freshAddress()).post('/api/login', { account: 'runner', password });
      ticket = await ticketOf(app, body.token);
      await end(body.token);
      return check(ticket);
    }
    expect(await ended(() => boss.post(`players/${id}/sign_out`))).toBe('invalid_token');
    expect(await ended(() => boss.post(`players/${id}/ban`, { reason: 'bots' }))).toBe('account_suspended');
    await boss.post(`players/${id}/unban`, { reason: 'a mistake' });
    expect(await check(ticket)).toBe('invalid_token');
    const everywhere = '/api/account/sign_out_everywhere';
    expect(await ended((token) => app.post(everywhere, {}, { token }))).toBe('invalid_token');
    expect(await ended((token) => app.post('/api/logout', {}, { token }))).toBe('invalid_token');
    const reset = { email: 'runner@example.com', password: 'Brand-New-Horse-7' };
    expect(
      await ended(async () => {
        await app.post('/api/reset_password', { ...reset, code: await app.code(reset.email) });
      }),
    ).toBe('invalid_token');
    password = reset.password;
    expect(await ended(async () => {})).toBeUndefined();
  });
});
