import { expect, test } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import { freshAddress, PASSWORD, startTestApp } from './support/test-app.ts';

describeOnEngines('verification codes', (engine) => {
  test('when a code is tried five times, then it is burned, even for who has it', async () => {
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

  test('when 40 wrong codes come at once, then no more than five are looked at', async () => {
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

  test('when codes are asked for too often, then both limits hold, with Retry-After', async () => {
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
});
