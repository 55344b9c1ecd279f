import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeByTier, type Engine } from '../../test-support/engines.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { freshAddress, startTestApp, type TestApp } from './support/test-app.ts';

const BIND = '/api/bind_account';
const GAME_SERVER = '10.1.2.3';
const KEY = 'a key shared with the game servers';

async function houseWithPlayers(engine: Engine): Promise<TestApp> {
  const app = await startTestApp(await engine.freshUrl(), { game_servers: { ip: [GAME_SERVER] } });
  for (const account of ['Ann', 'Bob']) await addPlayer(app, account);
  return app;
}

const addPlayer = (app: TestApp, account: string) =>
  app.db.kysely.insertInto('player').values({ account }).execute();

describeByTier('the callbacks of game servers', (engine) => {
  test('when an account is bound, as JSON or as a form, then it is found by its connect_id', async () => {
    const app = await houseWithPlayers(engine);
    const game = app.from(GAME_SERVER);
    expect(await game.post(BIND, { account: ' ANN ', connect_id: 'c-1' })).toMatchObject({
      status: 200,
      body: { account: 'Ann', connect_id: 'c-1' },
    });
    expect((await game.form(BIND, { account: 'Bob', connect_id: '夜 雨&=' })).status).toBe(200);
    expect((await game.get('/api/link?connect_id=c-1')).body).toEqual({ account: 'Ann' });
    const odd = await game.get(`/api/link?connect_id=${encodeURIComponent('夜 雨&=')}`);
    expect(odd.body).toEqual({ account: 'Bob' });
  });

  test('when a binding is reported twice, then it succeeds; when it is contradicted, then it is refused', async () => {
    const app = await houseWithPlayers(engine);
    const game = app.from(GAME_SERVER);
    const bind = (account: string, connect_id: string) => game.post(BIND, { account, connect_id });
    expect((await bind('Ann', 'c-1')).status).toBe(200);
    expect((await bind('Ann', 'c-1')).status).toBe(200);
    expect(await bind('Bob', 'c-1')).toMatchObject({ status: 409, body: { code: 'already_bound' } });
    expect(await bind('Ann', 'c-2')).toMatchObject({ status: 409, body: { code: 'already_bound' } });
    expect((await bind('Bob', 'C-1')).status).toBe(200);
    const rows = await app.db.kysely.selectFrom('player_connect_threeparty').selectAll().execute();
    expect(rows).toHaveLength(2);
  });

  test('when the account or connect_id does not exist, then it is not found', async () => {
    const app = await houseWithPlayers(engine);
    const game = app.from(GAME_SERVER);
    const missing = { status: 404, body: { code: 'account_not_found' } };
    expect(await game.post(BIND, { account: 'Nobody', connect_id: 'c-1' })).toMatchObject(missing);
    expect(await game.get('/api/link?connect_id=c-1')).toMatchObject(missing);
    expect((await game.get('/api/link')).status).toBe(400);
    expect((await game.post(BIND, { account: 'Ann', connect_id: 5 })).status).toBe(400);
    expect((await game.post(BIND, { account: 'Ann', connect_id: '' })).status).toBe(400);
  });

  test('when another provider is named, then its identities are separate', async () => {
    const app = await houseWithPlayers(engine);
    const game = app.from(GAME_SERVER);
    await game.post(BIND, { account: 'Ann', connect_id: 'c-1' });
    expect((await game.post(BIND, { account: 'Bob', connect_id: 'c-1', provider: 'guild' })).status).toBe(
      200,
    );
    expect((await game.get('/api/link?connect_id=c-1&provider=forum')).body).toEqual({ account: 'Ann' });
    expect((await game.get('/api/link?connect_id=c-1&provider=guild')).body).toEqual({ account: 'Bob' });
    expect((await game.get('/api/link?connect_id=c-1&provider=other')).status).toBe(404);
  });

  test('when many report different bindings concurrently, then the same one wins for all', async () => {
    const app = await houseWithPlayers(engine);
    const game = app.from(GAME_SERVER);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        game.post(BIND, { account: i % 2 ? 'Ann' : 'Bob', connect_id: 'c-1' }),
      ),
    );
    const { account } = (await game.get('/api/link?connect_id=c-1')).body;
    for (const [i, { status }] of answers.entries()) {
      expect(status).toBe((i % 2 ? 'Ann' : 'Bob') === account ? 200 : 409);
    }
  });

  test('when a signature is sent twice, then it is refused on every instance', async () => {
    const url = await engine.freshUrl();
    const settings = { game_servers: { key: KEY }, auth: { jwt_secret: 's'.repeat(32) } };
    const [one, two] = [await startTestApp(url, settings), await startTestApp(url, settings)];
    await addPlayer(one, 'Ann');
    const request = signed('POST', BIND, JSON.stringify({ account: 'Ann', connect_id: 'c-1' }));
    const answers = await Promise.all([one, two, one, two].map((app) => request.to(app)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403]);
  });
});

interface Signed {
  to(
    app: TestApp,
    changed?: { path?: string; body?: string; headers?: Record<string, string> },
  ): Promise<{ status: number }>;
}

function signed(method: string, path: string, body = '', age = 0, key = KEY): Signed {
  const timestamp = String(Math.floor(Date.now() / 1000) - age);
  const signature = createHmac('sha256', key)
    .update(`${timestamp}\n${method}\n${path}\n${body}`)
    .digest('hex');
  return {
    to: (app, changed = {}) =>
      app.from('127.0.0.1').send(method, changed.path ?? path, {
        headers: {
          ...(body && { 'content-type': 'application/json' }),
          'x-timestamp': timestamp,
          'x-signature': signature,
          ...changed.headers,
        },
        ...(body && { body: changed.body ?? body }),
      }),
  };
}

test('when the caller is not a game server, then it is refused before anything is read', async () => {
  const app = await startTestApp(freshSqlite(), { game_servers: { ip: [GAME_SERVER] } });
  const { kysely } = app.db;
  await kysely
    .insertInto('server')
    .values({ server_id: 1, name: 'One', address: '10.9.9.9', port: 7000 })
    .execute();
  await addPlayer(app, 'Ann');
  const ask = async (address: string) => (await app.from(address).get('/api/link?connect_id=c')).status;
  await expect.poll(() => ask('10.9.9.9')).toBe(404);
  for (const allowed of [GAME_SERVER, '127.0.0.1', '127.8.8.8', '::1', '::ffff:10.1.2.3']) {
    expect({ allowed, status: await ask(allowed) }).toEqual({ allowed, status: 404 });
  }
  const outsider = freshAddress();
  for (const forged of [
    outsider,
    `127.0.0.1, ${outsider}`,
    `${GAME_SERVER}, ${outsider}`,
    '10.9.9.10',
    '::ffff:10.1.2.4',
  ]) {
    expect({ forged, status: await ask(forged) }).toEqual({ forged, status: 403 });
  }
  const stranger = app.from(outsider);
  for (const body of [{ account: 'Ann', connect_id: 'c' }, { nonsense: true }, {}]) {
    expect(await stranger.post(BIND, body)).toMatchObject({
      status: 403,
      body: { code: 'caller_not_allowed' },
    });
  }
  expect((await stranger.get('/api/link')).status).toBe(403);
  expect(await kysely.selectFrom('player_connect_threeparty').selectAll().execute()).toEqual([]);
});

/** Headers that a proxy or a browser adds. */
const passedOn: Record<string, string>[] = [
  { 'x-forwarded-for': '203.0.113.9' },
  { 'x-forwarded-for': '127.0.0.1' },
  { forwarded: 'for=203.0.113.9' },
  { via: '1.1 proxy' },
  { origin: 'https://play.example.com' },
  { 'sec-fetch-site': 'same-origin' },
];

test('when a proxy is not trusted, then its clients are not admitted by its address', async () => {
  const app = await startTestApp(freshSqlite(), { trust_proxy: [], chat: { from: 'game_servers' } });
  await addPlayer(app, 'Ann');
  const ask = async (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
    (
      await fetch(app.url + path, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
    ).status;
  const answers = async (headers: Record<string, string>) => [
    await ask('POST', BIND, headers, { account: 'Ann', connect_id: 'c-1' }),
    await ask('GET', '/api/link?connect_id=c-2', headers),
    await ask('GET', '/api/metrics', headers),
    await ask('POST', '/api/report/chat', headers, { server_id: 1, role: 'r', content: 'c' }),
  ];
  for (const headers of passedOn)
    expect({ headers, answers: await answers(headers) }).toEqual({ headers, answers: [403, 403, 403, 403] });
  expect(await answers({})).toEqual([200, 404, 200, 200]);
});

test('when a trusted proxy does not report the client, then nobody gets privileges by its address', async () => {
  const app = await startTestApp(freshSqlite(), { game_servers: { ip: [GAME_SERVER] } });
  const ask = async (headers: Record<string, string>) =>
    (await fetch(`${app.url}/api/link?connect_id=c`, { headers })).status;
  for (const headers of [
    { 'x-forwarded-for': 'unknown' },
    { 'x-forwarded-for': 'unknown, 127.0.0.1' },
    { via: '1.1 proxy' },
    { 'sec-fetch-site': 'cross-site' },
  ])
    expect({ headers, status: await ask(headers) }).toEqual({ headers, status: 403 });
  expect(await ask({})).toBe(404);
  // An operator has listed this address, and the trusted proxy reports it.
  expect(await ask({ 'x-forwarded-for': GAME_SERVER, via: '1.1 proxy' })).toBe(404);
});

test('when a key is set, then only requests freshly signed with it are accepted, and only once', async () => {
  const app = await startTestApp(freshSqlite(), { game_servers: { key: KEY } });
  await addPlayer(app, 'Ann');
  const body = JSON.stringify({ account: 'Ann', connect_id: 'c-1' });
  const status = async (request: Promise<{ status: number }>) => (await request).status;
  const bind = (age = 0, key = KEY) => signed('POST', BIND, body, age, key);

  const detailFrom = async (address: string) =>
    (await app.from(address).post(BIND, JSON.parse(body))).body.detail;
  expect(await detailFrom('127.0.0.1')).toMatch(/signature/);
  expect(await detailFrom(freshAddress())).toBe('Only game servers may call this route.');
  expect(await status(bind().to(app, { body: body.replace('c-1', 'c-2') }))).toBe(403);
  expect(await status(bind().to(app, { body: `${body} ` }))).toBe(403);
  expect(await status(bind().to(app, { path: `${BIND}?a=1` }))).toBe(403);
  expect(await status(bind().to(app, { headers: { 'x-timestamp': '1' } }))).toBe(403);
  expect(await status(bind().to(app, { headers: { 'x-timestamp': 'soon' } }))).toBe(403);
  expect(await status(bind().to(app, { headers: { 'x-signature': 'f'.repeat(64) } }))).toBe(403);
  expect(await status(bind().to(app, { headers: { 'x-signature': '' } }))).toBe(403);
  expect(await status(bind(0, 'another key').to(app))).toBe(403);
  expect(await status(bind(310).to(app))).toBe(403);
  expect(await status(bind(-360).to(app))).toBe(403);
  expect(await app.db.kysely.selectFrom('player_connect_threeparty').selectAll().execute()).toEqual([]);

  const good = bind(240);
  expect(await status(good.to(app))).toBe(200);
  expect(await status(good.to(app))).toBe(403);
  const look = signed('GET', '/api/link?connect_id=c-1&provider=forum');
  expect(await status(look.to(app, { path: '/api/link?connect_id=c-2&provider=forum' }))).toBe(403);
  expect(await status(look.to(app))).toBe(200);
  expect(await status(look.to(app))).toBe(403);
});

test('when signatures are only observed, then unsigned callbacks pass and are logged', async () => {
  const app = await startTestApp(freshSqlite(), { game_servers: { key: KEY, signature: 'observe' } });
  await addPlayer(app, 'Ann');
  const unsigned = await app.from('127.0.0.1').post(BIND, { account: 'Ann', connect_id: 'c-1' });
  expect(unsigned.status).toBe(200);
  expect((await app.from(freshAddress()).get('/api/link?connect_id=c-1')).status).toBe(403);
  await app.stop();
  const log = readFileSync(join(app.folder, 'service.log'), 'utf8');
  expect(log).toContain('"reason":"unsigned","enforced":false');
});

/** Zones 1 and 2, each at its own address, and a player who entered zone 2. */
async function twoZones(settings: Record<string, unknown> = {}): Promise<TestApp> {
  const app = await startTestApp(freshSqlite(), settings);
  for (const server_id of [1, 2])
    await app.db.kysely
      .insertInto('server')
      .values({ server_id, name: `Zone ${server_id}`, address: `10.9.9.${server_id}`, port: 7000 })
      .execute();
  await app.db.kysely.insertInto('player').values({ account: 'Ann', last_server_id: 2 }).execute();
  await addPlayer(app, 'Newcomer');
  await expect
    .poll(() => app.security.gameServerAuth.isGameServer({ address: '10.9.9.2', direct: true }))
    .toBe(true);
  return app;
}

test('when a caller is known by a zone’s address, then it may act only for that zone’s players and chat', async () => {
  const app = await twoZones({ chat: { from: 'game_servers' } });
  const [one, two] = [app.from('10.9.9.1'), app.from('10.9.9.2')];
  const ann = { account: 'Ann', connect_id: 'c-1' };
  expect(await one.post(BIND, ann)).toMatchObject({ status: 403, body: { code: 'caller_not_allowed' } });
  expect((await two.post(BIND, ann)).status).toBe(200);
  expect((await one.get('/api/link?connect_id=c-1')).status).toBe(404);
  expect((await two.get('/api/link?connect_id=c-1')).body).toEqual({ account: 'Ann' });
  expect((await one.post(BIND, { account: 'Newcomer', connect_id: 'c-2' })).status).toBe(200);
  const say = (game: typeof one, server_id: number) =>
    game.post('/api/report/chat', { server_id, role: 'r', content: 'c' });
  expect((await say(one, 2)).status).toBe(403);
  expect((await say(one, 1)).status).toBe(200);

  await app.cli('zone', 'merge', '1', '--into', '2');
  await expect.poll(async () => (await one.post(BIND, ann)).status).toBe(200);
});

test('when a zone has its own key, then its callbacks need it, and it may act for players who entered that zone', async () => {
  const app = await twoZones({ game_servers: { key: KEY } });
  const { stdout } = await app.cli('zone', 'key', 'add', '1', '--json');
  const { key, key_id } = JSON.parse(stdout);
  let calls = 0; // so that no two signatures are the same
  const bind = (account: string, withKey: string) => {
    const body = JSON.stringify({ account, connect_id: `c-${calls++}` });
    return signed('POST', BIND, body, 0, withKey).to(app);
  };
  expect((await bind('Ann', key)).status).toBe(403);
  expect((await bind('Newcomer', key)).status).toBe(403);
  await app.db.kysely.updateTable('player').set({ last_server_id: 1 }).execute();
  expect((await bind('Newcomer', key)).status).toBe(200);
  expect((await bind('Ann', KEY)).status).toBe(200);

  expect((await app.cli('zone', 'key', 'list')).stdout).toContain(key_id);
  expect((await app.cli('zone', 'key', 'revoke', '1', '--key', key_id)).code).toBe(0);
  expect((await bind('Newcomer', key)).status).toBe(403);
  const audit = await app.db.kysely.selectFrom('audit').selectAll().orderBy('at').execute();
  expect(audit.map(({ action, subject_kind }) => [action, subject_kind])).toEqual([
    ['key.add', 'zone'],
    ['key.revoke', 'zone'],
  ]);
  expect(JSON.stringify(audit)).not.toContain(key);
});

test('when there is no common key, then only callers from the address of a zone with a key must sign', async () => {
  const app = await twoZones();
  const { key } = JSON.parse((await app.cli('zone', 'key', 'add', '2', '--json')).stdout);
  const ask = async (address: string) => (await app.from(address).get('/api/link?connect_id=c')).status;
  expect(await ask('10.9.9.1')).toBe(404);
  expect(await ask('10.9.9.2')).toBe(403);
  expect(await ask('127.0.0.1')).toBe(404);
  expect((await signed('GET', '/api/link?connect_id=c', '', 0, key).to(app)).status).toBe(404);
  expect((await signed('GET', '/api/link?connect_id=c', '', 0, 'guessed').to(app)).status).toBe(403);
});
