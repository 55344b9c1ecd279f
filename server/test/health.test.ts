import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { tempDir } from '../../test-support/process.ts';
import { makeOperator } from './support/operator.ts';
import { startTestApp } from './support/test-app.ts';

describeByTier('readiness', (engine) => {
  test('when the database answers but the accounts table is gone, then it is not ready, and is ready again when it is back', async () => {
    const app = await startTestApp(await engine.freshUrl());
    expect((await app.get('/api/health/ready')).status).toBe(200);
    await app.db.kysely.schema.alterTable('player').renameTo('player_away').execute();
    const { status, body } = await app.get('/api/health/ready');
    expect({ status, body }).toMatchObject({ status: 503, body: { checks: { database: 'failed' } } });
    expect((await app.post('/api/login', { account: 'Nobody', password: 'whatever' })).status).toBe(500);
    await app.db.kysely.schema.alterTable('player_away').renameTo('player').execute();
    expect((await app.get('/api/health/ready')).status).toBe(200);
  });
});

test('when metrics are read, then they include the dependencies and when each job last succeeded', async () => {
  const app = await startTestApp(`sqlite:${tempDir('health')}/gatehouse.db`, { day_max_reg: 7 });
  await app.register('counted');
  const value = async (name: string) => {
    const line = (await app.metrics.text()).split('\n').find((each) => each.startsWith(`gatehouse_${name} `));
    return line === undefined ? undefined : Number(line.split(' ')[1]);
  };
  expect(await value('registrations_today')).toBe(1);
  expect(await value('registrations_cap')).toBe(7);
  expect(await value('database_disk_free_bytes')).toBeGreaterThan(0);
  expect(Math.abs((await value('database_clock_skew_seconds')) ?? Number.NaN)).toBeLessThan(60);
  expect(await value('redis_up')).toBeUndefined();
  await expect.poll(() => value('job_last_success_timestamp_seconds{job="day_stat"}')).toBeGreaterThan(1e9);
});

test('when SQLite cannot grow, then it is not ready and doctor says why, and both recover without a restart', async () => {
  const app = await startTestApp(`sqlite:${tempDir('full')}/gatehouse.db`, {
    console: { require_totp: false },
  });
  const admin = await makeOperator(app, { role: 'admin' });
  // Within a transaction, because the limit holds for the connection that writes.
  const limitPages = (count: number) =>
    app.db.transaction((trx) => sql`pragma max_page_count = ${sql.lit(count)}`.execute(trx));
  const fill = async () => {
    for (;;)
      await app.db.kysely
        .insertInto('chat')
        .values({ server_id: 1, role: 'r', content: 'x'.repeat(2000) })
        .execute();
  };
  const database = async () =>
    (await admin.get('doctor')).body.findings.find(({ check }: { check: string }) => check === 'database');

  await limitPages(1); // clamped to the current size
  await expect(fill()).rejects.toThrow('full');
  expect((await app.get('/api/health/ready')).body).toMatchObject({ checks: { database: 'failed' } });
  expect(await database()).toMatchObject({ status: 'failed', fix: expect.stringContaining('free space') });

  await limitPages(1_000_000_000);
  expect((await app.get('/api/health/ready')).status).toBe(200);
  expect(await database()).toMatchObject({ status: 'ok' });
});
