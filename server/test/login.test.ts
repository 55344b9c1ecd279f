import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import { freshAddress, legacyHash, PASSWORD, startTestApp } from './support/test-app.ts';

describeOnEngines('login', (engine) => {
  test('when the account is unknown or the password wrong, then both get exactly the same answer', async () => {
    const app = await startTestApp(await engine.freshUrl());
    await app.register('carol');
    const wrong = await app.post('/api/login', { account: 'carol', password: 'wrong' });
    const unknown = await app.post('/api/login', { account: 'nobody_here', password: 'wrong' });
    const { request_id: _a, ...first } = wrong.body;
    const { request_id: _b, ...second } = unknown.body;
    expect(first).toEqual(second);
    expect(first).toMatchObject({ status: 401, code: 'invalid_credentials' });
    expect(wrong.headers.get('cache-control')).toBe('no-store');
  });

  test('when an old account with an odd name is inserted by SQL, then it can log in regardless of case', async () => {
    const app = await startTestApp(await engine.freshUrl());
    const hash = legacyHash('oldpw').toUpperCase();
    await sql`insert into player (account, password_hash) values (${'Ölmütz Spieler'}, ${hash})`.execute(
      app.db.kysely,
    );
    expect((await app.post('/api/login', { account: ' Ölmütz SPIELER ', password: 'oldpw' })).status).toBe(
      200,
    );
    expect((await app.post('/api/login', { account: 'ölmütz spieler', password: 'oldpw' })).status).toBe(401);
  });

  test('when an e-mail address is given as the account, then it means the only account that has it, and a name takes precedence', async () => {
    const app = await startTestApp(await engine.freshUrl());
    await app.register('emma', {
      email: 'emma.of.a.long.name.that.goes.on.and.on@a-mail-server.of.the.example.com',
    });
    const password_hash = legacyHash(PASSWORD);
    await app.db.kysely
      .insertInto('player')
      .values([
        { account: 'twin_one', password_hash, email: 'twin@example.com' },
        { account: 'twin_two', password_hash, email: 'twin@example.com' },
        { account: 'Old@Example.com', password_hash, email: 'other@example.com' },
        { account: 'newer', password_hash: legacyHash('x'), email: 'old@example.com' },
      ])
      .execute();
    const logIn = async (account: string) => {
      const { status, body } = await app
        .from(freshAddress())
        .post('/api/login', { account, password: PASSWORD });
      return status === 200 ? body.account : body.code;
    };
    const long = 'Emma.Of.A.Long.Name.That.Goes.On.And.On@a-mail-server.of.the.Example.com';
    expect(await logIn(` ${long} `)).toBe('emma');
    expect(await logIn('twin@example.com')).toBe('invalid_credentials');
    expect(await logIn('other@example.com')).toBe('Old@Example.com');
    expect(await logIn('old@example.com')).toBe('Old@Example.com');
    expect(await logIn('nobody@example.com')).toBe('invalid_credentials');
    const tooLong = await app.post('/api/login', { account: 'x'.repeat(65), password: PASSWORD });
    expect(tooLong).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'account', message: 'must have at most 64 characters' }] },
    });
  });

  test('when an account is guessed at by its name and by its e-mail address, then the wrong guesses count together', async () => {
    const app = await startTestApp(await engine.freshUrl());
    await app.register('faye', { email: 'faye@example.com' });
    const attacker = app.from(freshAddress());
    const statuses = [];
    for (let round = 0; round < 6; round++) {
      const account = ['faye', 'faye@example.com', 'FAYE@Example.com'][round % 3];
      statuses.push((await attacker.post('/api/login', { account, password: 'wrong' })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test('when an e-mail address is spelled with other spaces and capitals, then its guesses count together, with an account or without', async () => {
    const app = await startTestApp(await engine.freshUrl());
    await app.register('hugo', { email: 'hugo@example.com' });
    const guess = async (email: string) => {
      const attacker = app.from(freshAddress());
      const statuses = [];
      for (const account of [
        email,
        `${email}\u00a0`,
        `\u2003${email}`,
        email.toUpperCase(),
        email,
        `${email}\u00a0`,
      ])
        statuses.push((await attacker.post('/api/login', { account, password: 'wrong' })).status);
      return statuses;
    };
    const known = await guess('hugo@example.com');
    expect(known).toEqual([401, 401, 401, 401, 401, 429]);
    expect(await guess('nobody@example.com')).toEqual(known);
  });

  test('when a login is wrong, then it is answered after the fixed delay, whether the account exists or not', async () => {
    const app = await startTestApp(await engine.freshUrl());
    await app.register('gust', { email: 'gust@example.com' });
    for (const account of ['gust', 'nobody', 'gust@example.com', 'nobody@example.com']) {
      const started = performance.now();
      expect((await app.post('/api/login', { account, password: 'wrong' })).status).toBe(401);
      expect(performance.now() - started).toBeGreaterThan(4);
    }
  });

  test('when a player is banned, then login, token and check return the reason and the end', async () => {
    const app = await startTestApp(await engine.freshUrl());
    const { token } = await app.register('erin');
    const { kysely } = app.db;
    const until = Date.now() + 3600_000;
    await kysely
      .updateTable('player')
      .set({ status: 'banned', ban_reason: '使用外挂', banned_until: until })
      .execute();
    const answers = [
      await app.post('/api/login', { account: 'erin', password: PASSWORD }),
      await app.post('/api/enter_game', { server_id: 1 }, { token }),
      await app.post('/api/check', { account: 'erin', token }),
    ];
    for (const answer of answers) {
      expect(answer).toMatchObject({
        status: 403,
        body: { code: 'account_suspended', reason: '使用外挂', until: new Date(until).toISOString() },
      });
      expect(answer.body.detail).toContain('使用外挂');
    }
    expect((await app.post('/api/login', { account: 'erin', password: 'wrong' })).status).toBe(401);
    await kysely
      .updateTable('player')
      .set({ banned_until: Date.now() - 1 })
      .execute();
    expect((await app.post('/api/login', { account: 'erin', password: PASSWORD })).status).toBe(200);
    expect((await app.post('/api/check', { account: 'erin', token })).status).toBe(200);
    await kysely.updateTable('player').set({ token_version: 2 }).execute();
    expect((await app.post('/api/check', { account: 'erin', token })).body.code).toBe('invalid_token');
  });
});
