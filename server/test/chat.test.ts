import { expect, test } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import { startMariadb } from '../../test-support/mariadb.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { deleteInBatches } from '../src/db/delete-in-batches.ts';
import { freshAddress, PASSWORD, startTestApp } from './support/test-app.ts';

const line = { server_id: 1, role: '战士', content: '大家好' };

describeOnEngines('chat reports', (engine) => {
  test('when a game reports one record, a batch or a form, then all of it is stored', async () => {
    const app = await startTestApp(await engine.freshUrl());
    const sent_at = '2026-01-02T03:04:05.678+08:00';
    expect(
      (await app.post('/api/report/chat', { ...line, account: 'alice', channel: 'world', sent_at })).body,
    ).toEqual({ accepted: 1 });
    expect(
      (await app.form('/api/report/chat', { server_id: '2', role: 'r', content: 'a+b & 中文' })).body,
    ).toEqual({ accepted: 1 });
    const records = Array.from({ length: 200 }, (_, index) => ({ ...line, content: `第${index}条` }));
    expect((await app.post('/api/report/chat', { records })).body).toEqual({ accepted: 200 });
    const rows = await app.db.kysely.selectFrom('chat').selectAll().orderBy('id').execute();
    expect(rows).toHaveLength(202);
    expect(rows[0]).toMatchObject({
      server_id: 1,
      account: 'alice',
      role: '战士',
      channel: 'world',
      content: '大家好',
      sent_at: Date.parse(sent_at),
    });
    expect(rows[1]).toMatchObject({
      server_id: 2,
      account: '',
      channel: '',
      content: 'a+b & 中文',
      sent_at: null,
    });
    expect(rows[0]?.received_at).toBeGreaterThan(Date.now() - 60_000);
  });

  test('when one record of a batch is invalid, then none is stored and the field is named', async () => {
    const app = await startTestApp(await engine.freshUrl());
    const cases: [unknown, string][] = [
      [{ records: [line, { ...line, content: '' }] }, 'records.1.content'],
      [{ records: [line, { ...line, sent_at: 'yesterday' }] }, 'records.1.sent_at'],
      [{ records: [{ ...line, sent_at: '2026-12-31T23:59:60Z' }] }, 'records.0.sent_at'],
      [{ records: [{ server_id: '1', role: '', content: '', extra: 1 }] }, 'records.0.server_id'],
      [{ records: [] }, 'records'],
      [{ records: Array(201).fill(line) }, 'records'],
      [{ ...line, server_id: '1' }, 'server_id'],
      [{ ...line, extra: 1 }, 'extra'],
      [{ ...line, content: 'x'.repeat(2001) }, 'content'],
      [{ role: 'r', content: 'x' }, 'server_id'],
    ];
    for (const [report, field] of cases) {
      const { status, body } = await app.post('/api/report/chat', report);
      expect({
        field,
        status,
        fields: body.errors.map((each: { field: string }) => each.field),
      }).toMatchObject({ status: 400, fields: expect.arrayContaining([field]) });
    }
    expect(await app.db.kysely.selectFrom('chat').select('id').execute()).toEqual([]);
  });

  test('when strangers report too much, or at all where only games may, then they are refused and games are not', async () => {
    const app = await startTestApp(await engine.freshUrl(), { chat: { limit: 3 } });
    const stranger = app.from(freshAddress());
    const statuses = [];
    for (let round = 0; round < 5; round++)
      statuses.push((await stranger.post('/api/report/chat', line)).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    for (let round = 0; round < 5; round++)
      expect((await app.from('127.0.0.1').post('/api/report/chat', line)).status).toBe(200);

    const strict = await startTestApp(await engine.freshUrl(), {
      chat: { from: 'game_servers' },
      game_servers: { ip: ['10.7.0.0/16'] },
    });
    expect((await strict.from('10.7.1.1').post('/api/report/chat', line)).status).toBe(200);
    expect((await strict.from('10.8.1.1').post('/api/report/chat', line)).body.code).toBe(
      'caller_not_allowed',
    );
    await strict.db.kysely
      .insertInto('server')
      .values({ server_id: 1, name: 'z', address: '10.8.1.1', port: 1 })
      .execute();
    await expect
      .poll(async () => (await strict.from('10.8.1.1').post('/api/report/chat', line)).status)
      .toBe(200);
  });

  test('when a stranger sends large reports, then the bytes per hour are limited, and those of games are not', async () => {
    const app = await startTestApp(await engine.freshUrl());
    const report = { records: Array.from({ length: 120 }, () => ({ ...line, content: 'x'.repeat(2000) })) };
    const size = Buffer.byteLength(JSON.stringify(report));
    const fitting = Math.floor((4 * 1024 * 1024) / size);
    const stranger = app.from(freshAddress());
    for (let round = 0; round < fitting; round++)
      expect((await stranger.post('/api/report/chat', report)).status).toBe(200);
    const refused = await stranger.post('/api/report/chat', report);
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60);
    expect(
      (await stranger.form('/api/report/chat', { server_id: '1', role: 'r', content: 'x' })).status,
    ).toBe(429);
    const kept = await app.db.kysely
      .selectFrom('chat')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    expect(kept.n).toBe(120 * fitting);
    for (let round = 0; round <= fitting; round++)
      expect((await app.from('127.0.0.1').post('/api/report/chat', report)).status).toBe(200);
  });

  test('when an operator lists chat, then filters apply, and chat past its retention is deleted', async () => {
    const url = await engine.freshUrl();
    const app = await startTestApp(url);
    await app.from('127.0.0.1').post('/api/report/chat', {
      records: [
        line,
        { ...line, server_id: 2, account: 'bob', content: '100% _sure_' },
        { ...line, content: '1000 pure' },
      ],
    });
    const list = async (...args: string[]) =>
      JSON.parse((await app.cli('chat', 'list', '--json', ...args)).stdout);
    expect((await list()).map((each: { content: string }) => each.content)).toEqual([
      '1000 pure',
      '100% _sure_',
      '大家好',
    ]);
    expect(await list('--server', '2')).toHaveLength(1);
    expect(await list('--account', 'bob', '--since', '1h')).toHaveLength(1);
    expect(await list('--contains', '0% _s')).toHaveLength(1);
    await app.db.kysely.updateTable('chat').set({ received_at: 1 }).where('server_id', '=', 1).execute();
    await app.stop();

    const brief = await startTestApp(url, { chat: { retention_days: 1 } });
    // Whether names go too depends on when they were indexed.
    expect(await deleteInBatches(brief.features.chat.sweeps?.slice(0, 1) ?? [])).toBe(2);
    expect(await brief.db.kysely.selectFrom('chat').select('server_id').execute()).toEqual([
      { server_id: 2 },
    ]);
  });
});

test('when a stranger sends invalid reports, then their bytes count like those of valid ones', async () => {
  const app = await startTestApp(freshSqlite(), { chat: { bytes: 2500 } });
  for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
    const stranger = app.from(freshAddress());
    const send = () =>
      stranger.send('POST', '/api/report/chat', {
        headers: { 'content-type': type },
        body: `{${'x'.repeat(999)}`,
      });
    const statuses = [(await send()).status, (await send()).status, (await send()).status];
    expect([type, ...statuses]).toEqual([type, 400, 400, 429]);
  }
});

test('when the database is unreachable, then list and config still work, writes are refused, and everything recovers without a restart', async () => {
  const mariadb = await startMariadb();
  const app = await startTestApp(await mariadb.createDatabase());
  await app.db.kysely
    .insertInto('server')
    .values({ server_id: 1, name: 'z', address: '10.1.1.1', port: 1 })
    .execute();
  await expect.poll(() => app.features.zones.cache.find(1)).toBeDefined();
  const { token } = await app.register('patient');
  await mariadb.stop();

  const refused = await app.from('127.0.0.1').post('/api/report/chat', line);
  expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  expect(refused.headers.get('retry-after')).toBeTruthy();
  expect((await app.post('/api/login', { account: 'patient', password: PASSWORD })).body.code).toBe(
    'unavailable',
  );
  expect((await app.post('/api/enter_game', { server_id: 1 }, { token })).body.code).toBe('unavailable');
  expect((await app.get('/api/server/list')).body.servers).toHaveLength(1);
  expect((await app.get('/api/config')).status).toBe(200);
  await expect
    .poll(async () => (await app.get('/api/health/ready')).body)
    .toEqual({
      status: 'not_ready',
      checks: { database: 'failed', zones: 'stale' },
    });
  expect((await app.get('/api/health/live')).status).toBe(200);

  await mariadb.restart();
  await expect
    .poll(async () => (await app.get('/api/health/ready')).body)
    .toEqual({
      status: 'ready',
      checks: { database: 'ok' },
    });
  expect((await app.post('/api/login', { account: 'patient', password: PASSWORD })).status).toBe(200);
  expect((await app.from('127.0.0.1').post('/api/report/chat', line)).status).toBe(200);
  await app.stop();
  await mariadb.stop();
});
