import { expect, test } from 'vitest';
import { freshMariadbUrl } from '../../test-support/engines.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import type { Reply } from './support/client.ts';
import { PASSWORD, startTestApp, type TestApp } from './support/test-app.ts';

const SECRETS = { auth: { password_key: 'same-key', jwt_secret: 'same-secret-for-both-engines-0123456789' } };
const SETTINGS = { ...SECRETS, code_throttle: { email: { limit: 99, window: 60 } } };

/** Masks ids, times and tokens, which differ from run to run. */
function mask(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<uuid>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<jwt>')
    .replaceAll(/"(date|retry-after)","[^"]+"/g, '"$1","<time>"')
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '<url>');
}

async function script(app: TestApp): Promise<string[]> {
  const { kysely } = app.db;
  const zone = { address: '127.0.0.1', port: 7000, sort: 1, status: 'open', message: null, opened_at: null };
  const zones = [
    { ...zone, server_id: 2, name: '二区', address: 'two.example.com' },
    { ...zone, server_id: 1, name: 'Zone “One” 😀', status: 'maintenance', message: '更新中' },
    { ...zone, server_id: 3, name: 'hidden', status: 'closed' },
    { ...zone, server_id: 4, name: 'soon', sort: 0, opened_at: 4_000_000_000_000 },
  ];
  await kysely.insertInto('server').values(zones).execute();
  await kysely
    .insertInto('player')
    .values([
      { account: 'Ärger', password_hash: 'a'.repeat(32), email: 'twin@example.com' },
      { account: 'ärger', password_hash: 'b'.repeat(32), email: 'twin@example.com' },
    ])
    .execute();
  await expect.poll(() => app.features.zones.cache.all()).toHaveLength(4);

  const lines: string[] = [];
  const record = async (request: Promise<Reply>) => {
    const { status, headers, text } = await request;
    lines.push(mask(`${status} ${JSON.stringify([...headers])} ${text}`));
  };
  const { token } = await app.register('First_One', { email: 'first@example.com', server_id: 2 });
  await record(app.get('/api/server/list'));
  await record(app.get('/api/config'));
  await record(app.post('/api/login', { account: 'FIRST_ONE', password: PASSWORD }));
  await record(app.post('/api/login', { account: 'first_one  ', password: 'wrong' }));
  await record(app.post('/api/check', { account: 'Ärger', token: 'a'.repeat(32) }));
  await record(app.post('/api/check', { account: 'ärger', token: 'a'.repeat(32) }));
  await record(app.post('/api/check', { account: 'ARGER', token: 'a'.repeat(32) }));
  for (const server_id of [1, 2, 3, 4, 5])
    await record(app.post('/api/enter_game', { server_id }, { token }));
  await record(app.post('/api/login', { account: 'first_one', password: PASSWORD }));
  const code = await app.code('twin@example.com');
  await record(
    app.post('/api/reset_password', { email: 'twin@example.com', code, password: 'New-Horse-42' }),
  );
  await record(
    app.post('/api/reset_password', {
      email: 'twin@example.com',
      code,
      password: 'New-Horse-42',
      account: 'ÄRGER',
    }),
  );
  await record(
    app.post('/api/reset_password', {
      email: 'twin@example.com',
      code,
      password: 'New-Horse-42',
      account: 'ÄrgER',
    }),
  );
  await record(
    app.post('/api/report/chat', { server_id: 1, role: '😀'.repeat(64), content: '你'.repeat(2000) }),
  );
  await record(app.post('/api/report/chat', { server_id: 1, role: 'r', content: '你'.repeat(2001) }));
  await record(
    app.post('/api/report/chat', {
      records: [
        { server_id: 1, role: 'r', content: 'x', sent_at: '2026-01-01T00:00:00+08:00' },
        { server_id: 1, role: 'r' },
      ],
    }),
  );
  const taken = {
    account: 'FIRST_one',
    password: PASSWORD,
    email: 'new@example.com',
    code: await app.code('new@example.com'),
  };
  await record(app.post('/api/register', taken));
  await record(
    app.post('/api/register', {
      ...taken,
      account: 'other_one',
      email: 'first@example.com',
      code: await app.code('first@example.com'),
    }),
  );
  return lines;
}

test('when the same requests are made on either engine, through the router or the fast path, then the answers are identical', async () => {
  const answers = async (databaseUrl: string, fast_path: boolean) =>
    script(await startTestApp(databaseUrl, { ...SETTINGS, http: { fast_path } }));
  const expected = await answers(freshSqlite(), true);
  expect(expected.length).toBeGreaterThan(20);
  expect(await answers(freshSqlite(), false)).toEqual(expected);
  expect(await answers(await freshMariadbUrl(), true)).toEqual(expected);
  expect(await answers(await freshMariadbUrl(), false)).toEqual(expected);
});
