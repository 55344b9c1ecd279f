import { expect, onTestFinished, test, vi } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import { mailText, readOutbox } from '../../test-support/mail.ts';
import { sharedRedisUrl } from '../../test-support/shared-servers.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { zoneAtNoon } from '../../test-support/time-zone.ts';
import { codeSender } from '../src/features/codes/send-code.ts';
import { codeStore } from '../src/features/codes/store.ts';
import { useCode } from '../src/features/codes/use-code.ts';
import { Refusal } from '../src/refusal.ts';
import { createKeyedHash } from '../src/security/keyed-hash.ts';
import { memoryLimiters } from '../src/security/throttle.ts';
import { run } from './support/fresh.ts';
import { freshAddress, PASSWORD, startTestApp } from './support/test-app.ts';

describeOnEngines('verification codes', (engine) => {
  test('when a code is tried five times, then it is void, even for its owner', async () => {
    const app = await startTestApp(await engine.freshUrl());
    const email = 'burn@example.com';
    const code = await app.code(email);
    const wrong = code === '000000' ? '000001' : '000000';
    const form = { account: 'burner', password: PASSWORD, email };
    for (let round = 0; round < 5; round++) {
      expect((await app.post('/api/register', { ...form, code: wrong })).body.code).toBe('invalid_code');
    }
    expect(await app.post('/api/register', { ...form, code })).toMatchObject({
      status: 422,
      body: { code: 'invalid_code' },
    });
  });

  test('when the last wrong tries are counted while a right code is being used, then it is void, and a refusal of its use is not shown', async () => {
    const { db } = await startTestApp(await engine.freshUrl());
    const [email, secret] = ['late@example.com', 'a-secret-that-the-test-knows-0123456789'];
    const codes = codeStore(db);
    const hash = createKeyedHash([secret], 'verification code');
    const id = await codes.add({ email, hash: hash(email, '123456'), purpose: 'reset', lifetimeMs: 60_000 });
    const use = useCode({
      codes,
      wrong: {
        day: () => '2026-01-01',
        limit: () => 20,
        count: async () => true,
        isWithinBudget: async () => true,
        refusal: async () => new Refusal('too_many_attempts'),
      },
      hash,
      throttle: { judgeCode: (_address, prove) => prove(() => {}) },
    });
    const form = { email, code: '123456', purpose: 'reset', address: freshAddress() } as const;
    const refused = async () => {
      for (let n = 0; n < 5; n++) await db.transaction((trx) => codes.takeTry(trx, id, false));
      throw new Refusal('account_not_found');
    };
    await expect(use(form, refused)).rejects.toMatchObject({ code: 'invalid_code' });
    const { used_at } = await db.kysely.selectFrom('verify').select('used_at').executeTakeFirstOrThrow();
    expect(used_at).toBeNull();
  });

  test('when 40 wrong codes arrive concurrently, then five are counted', async () => {
    const app = await startTestApp(await engine.freshUrl());
    const email = 'burst@example.com';
    const code = await app.code(email);
    const guesses = Array.from({ length: 40 }, (_, index) => String(index).padStart(6, '0')).filter(
      (guess) => guess !== code,
    );
    await Promise.all(
      guesses.map((guess) =>
        app
          .from(freshAddress())
          .post('/api/register', { account: 'bursty', password: PASSWORD, email, code: guess }),
      ),
    );
    const row = await app.db.kysely
      .selectFrom('verify')
      .select(['attempts', 'used_at'])
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ attempts: 5, used_at: null });
  });

  test('when a code is older than 60 s by the database’s clock, or a newer one was sent, then it is invalid', async () => {
    const app = await startTestApp(await engine.freshUrl(), {
      code_throttle: { email: { limit: 9, window: 60 } },
    });
    const email = 'late@example.com';
    const form = { account: 'late_one', password: PASSWORD, email };
    const first = await app.code(email);
    const second = await app.code(email);
    if (first !== second)
      expect((await app.post('/api/register', { ...form, code: first })).body.code).toBe('invalid_code');
    const { db } = app;
    await db.kysely.updateTable('verify').set({ expires_at: db.now }).execute();
    expect((await app.post('/api/register', { ...form, code: second })).body.code).toBe('invalid_code');
  });

  test('when codes are requested too often, then both limits apply, with Retry-After', async () => {
    const app = await startTestApp(await engine.freshUrl());
    const client = app.from(freshAddress());
    expect((await client.post('/api/send_code', { email: 'often@example.com' })).body).toEqual({
      expires_in: 60,
      resend_after: 60,
    });
    const again = await app.from(freshAddress()).post('/api/send_code', { email: 'OFTEN@example.com' });
    expect(again).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
    const wait = Number(again.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    const statuses = [];
    for (let round = 0; round < 10; round++)
      statuses.push((await client.post('/api/send_code', { email: `often${round}@example.com` })).status);
    expect(statuses).toEqual([...Array(9).fill(200), 429]);
  });

  test('when codes are renewed to continue guessing, then all of them together get 20 wrong tries a day, from anywhere and on every instance', async () => {
    const url = await engine.freshUrl();
    const settings = {
      time_zone: zoneAtNoon(),
      auth: { jwt_secret: 'one-secret-for-both-instances-0123456789' },
      code_throttle: { email: { limit: 99, window: 60 } },
    };
    const apps = [await startTestApp(url, settings), await startTestApp(url, settings)] as const;
    const email = 'hunted@example.com';
    const guess = (code: string, index: number) =>
      apps[index % 2 === 0 ? 0 : 1]
        .from(freshAddress())
        .post('/api/reset_password', { email, code, password: PASSWORD });
    const answers: number[] = [];
    for (let renewal = 0; renewal < 4; renewal++) {
      const code = await apps[0].code(email);
      const wrong = code === '000000' ? '000001' : '000000';
      const round = await Promise.all(Array.from({ length: 7 }, (_, index) => guess(wrong, index)));
      answers.push(...round.map(({ status }) => status));
    }
    expect(new Set(answers)).toEqual(new Set([422]));
    const used = await apps[0].db.kysely.selectFrom('wrong_code').select('n').execute();
    expect(used).toEqual([{ n: 20 }]);

    const refused = { status: 429, body: { code: 'too_many_attempts' } };
    const spent = await apps[1].from(freshAddress()).post('/api/send_code', { email });
    expect(spent).toMatchObject(refused);
    expect(Number(spent.headers.get('retry-after'))).toBeGreaterThan(3600);
    // A code stored before the last wrong attempt is refused as well, even if right.
    const { db } = apps[0];
    const hash = createKeyedHash([settings.auth.jwt_secret], 'verification code');
    await db.kysely
      .insertInto('verify')
      .values(({ eb }) => ({ email, code_hash: hash(email, '123456'), expires_at: eb(db.now, '+', 60_000) }))
      .execute();
    expect(await guess('123456', 0)).toMatchObject(refused);
    expect(await guess('654321', 1)).toMatchObject(refused);
  });

  test('when strangers use up the wrong tries or the requests of an address, then its owner can still set a new password from a usual address', async () => {
    const app = await startTestApp(await engine.freshUrl(), {
      time_zone: zoneAtNoon(),
      code_throttle: { wrong_per_email: 5, email: { limit: 2, window: 60 } },
    });
    const [home, email] = [freshAddress(), 'hunted@example.com'];
    const form = { account: 'hunted', password: PASSWORD, email, code: await app.code(email) };
    expect((await app.from(home).post('/api/register', form)).status).toBe(201);
    const reset = (address: string, code: string) =>
      app.from(address).post('/api/reset_password', { email, code, password: 'Another-Horse-43' });
    const send = (purpose: string) => app.from(freshAddress()).post('/api/send_code', { email, purpose });

    const code = await app.code(email, { address: home, purpose: 'reset' });
    const wrong = code === '000000' ? '000001' : '000000';
    for (const purpose of ['email', 'email', 'register', 'register'])
      expect((await send(purpose)).status).toBe(200);
    for (let n = 0; n < 5; n++) expect((await reset(freshAddress(), wrong)).status).toBe(422);
    expect((await send('email')).status).toBe(429);
    expect((await reset(home, code)).status).toBe(200);
    for (let n = 0; n < 2; n++)
      expect(await app.from(freshAddress()).post('/api/send_code', { email })).toMatchObject({ status: 429 });
    await app.features.notices.idle();
    const mails = readOutbox(`${app.folder}/outbox`).map(mailText);
    expect(mails.filter((mail) => mail.includes('多次输错'))).toHaveLength(1);
  });

  test('when a code is right, then it uses none of the day’s tries, and when its use is refused, none of its own', async () => {
    const app = await startTestApp(await engine.freshUrl());
    await app.register('calm_one');
    const email = 'calm_two@example.com';
    const form = { account: 'calm_one', password: PASSWORD, email, code: await app.code(email) };
    for (let n = 0; n < 6; n++)
      expect(await app.post('/api/register', form)).toMatchObject({ body: { code: 'account_taken' } });
    expect(await app.db.kysely.selectFrom('wrong_code').select('n').execute()).toEqual([]);
    expect((await app.post('/api/register', { ...form, account: 'calm_two' })).status).toBe(201);
  });

  test('when a code has a purpose, then it is valid for nothing else; without one, for a registration or a new password', async () => {
    const app = await startTestApp(await engine.freshUrl(), {
      code_throttle: { email: { limit: 99, window: 60 } },
    });
    await app.register('owner_one', { email: 'owner@example.com' });
    const uses = {
      register: (code: string) =>
        app.post('/api/register', {
          account: 'new_one',
          password: PASSWORD,
          email: 'owner@example.com',
          code,
        }),
      reset: (code: string) =>
        app.post('/api/reset_password', { email: 'owner@example.com', code, password: PASSWORD }),
    };
    const good = { register: 'email_taken', reset: undefined };
    for (const [purpose, allowed] of [
      [undefined, ['register', 'reset']],
      ['register', ['register']],
      ['reset', ['reset']],
      ['email', []],
      ['delete', []],
    ] as const) {
      for (const use of ['register', 'reset'] as const) {
        const code = await app.code('owner@example.com', { purpose });
        const { body } = await uses[use](code);
        const expected = (allowed as readonly string[]).includes(use) ? good[use] : 'invalid_code';
        expect({ purpose, use, code: body.code }).toEqual({ purpose, use, code: expected });
      }
    }
    expect(await app.post('/api/send_code', { email: 'a@b.cc', purpose: 'other' })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'purpose' }] },
    });
  });

  test('when the day is full, then no code for a registration is mailed, and the answer does not reveal which names are taken', async () => {
    const app = await startTestApp(await engine.freshUrl(), {
      day_max_reg: 1,
      time_zone: zoneAtNoon(),
      code_throttle: { email: { limit: 2, window: 60 } },
    });
    await app.register('only_one');
    const full = { status: 429, body: { code: 'registration_cap_reached' } };
    const email = 'second@example.com';
    const refused = await app.post('/api/send_code', { email, purpose: 'register' });
    expect(refused).toMatchObject(full);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3600);
    expect(
      await app.db.kysely.selectFrom('verify').select('id').where('email', '=', email).execute(),
    ).toEqual([]);
    // The refusal did not count, and codes for other purposes are sent.
    const code = await app.code(email);
    const taken = 'only_one@example.com';
    for (const proof of [
      ...['only_one', 'ONLY_ONE', 'nobody_yet'].map((account) => ({ account, email, code })),
      { account: 'nobody_yet', email: taken, code: await app.code(taken) },
    ])
      expect(await app.post('/api/register', { ...proof, password: PASSWORD })).toMatchObject(full);
  });
});

test('when the mail server is slower than a request waits, then the request counts and the code in the late mail is valid', async () => {
  const secret = 'a-secret-that-the-test-knows-0123456789';
  const app = await startTestApp(freshSqlite(), { auth: { jwt_secret: secret } });
  const mails: { code: string; arrives: (isSent: boolean) => void }[] = [];
  const { send } = codeSender({
    codes: codeStore(app.db),
    hash: createKeyedHash([secret], 'verification code'),
    mailer: {
      sendCode: ({ code }) => new Promise((arrives) => mails.push({ code, arrives })),
      answerWithinMs: 2500,
    },
    codeThrottle: {
      email: memoryLimiters('email', () => ({ limit: 1, window: 60 })),
      address: memoryLimiters('address', () => ({ limit: 10, window: 3600 })),
      limits: () => ({ email: { limit: 1, window: 60 } }),
      refused: () => {},
    },
    wrong: { refuseUsedUp: async () => {} },
    requireRegistrationOpen: async () => {},
  });
  const email = 'slow@example.com';
  const request = { email, address: '203.0.113.1', language: 'en' };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const answers = Promise.allSettled([send(request), send(request)]);
  await vi.waitFor(() => expect(mails).toHaveLength(1), 20_000);
  await vi.advanceTimersByTimeAsync(3000);
  vi.useRealTimers();
  expect(await answers).toMatchObject([
    { reason: { code: 'mail_unavailable' } },
    { reason: { code: 'too_many_attempts' } },
  ]);
  await expect(send(request)).rejects.toMatchObject({ code: 'too_many_attempts' });
  const [mail] = mails;
  mail?.arrives(true);
  const form = { account: 'patient', password: PASSWORD, email, code: mail?.code };
  expect((await app.post('/api/register', form)).status).toBe(201);
});

for (const store of ['memory', 'redis'] as const) {
  test(`when one address block tries codes of many addresses, then its wrong ones are counted together (${store})`, async () => {
    const app = await startTestApp(freshSqlite(), {
      code_throttle: { wrong_block: { limit: 6, window: 3600 } },
      ...(store === 'redis' && { redis: { url: sharedRedisUrl() } }),
    });
    const [high, low] = [parseInt(run.slice(0, 2), 16), parseInt(run.slice(2, 4), 16)];
    const statuses: number[] = [];
    for (let host = 1; host <= 8; host++) {
      const answer = await app
        .from(`10.${high}.${low}.${host}`)
        .post('/api/reset_password', { email: `v${host}@example.com`, code: '123456', password: PASSWORD });
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([...Array(6).fill(422), 429, 429]);
  });
}
