import { createServer } from 'node:net';
import { expect, test, vi } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { PASSWORD, startTestApp } from './support/test-app.ts';

const TIMEOUT_MS = 40_000;

describeByTier('zones', (engine) => {
  test('when an operator changes zones with the CLI or SQL, then the list shows it, with a new ETag', async () => {
    const client = await startTestApp(await engine.freshUrl());
    const { cli } = client;
    expect((await client.get('/api/server/list')).body).toEqual({ servers: [] });

    await cli(
      'zone',
      'add',
      '1',
      '--name',
      '一区 青龙',
      '--address',
      'game1.example.com',
      '--port',
      '7001',
      '--sort',
      '2',
    );
    await cli(
      'zone',
      'add',
      '2',
      '--name',
      '二区',
      '--address',
      '10.0.0.2',
      '--port',
      '7002',
      '--status',
      'new',
      '--sort',
      '1',
    );
    await expect.poll(async () => (await client.get('/api/server/list')).body.servers).toHaveLength(2);
    const list = await client.get('/api/server/list');
    expect(list.body.servers).toEqual([
      { server_id: 2, name: '二区', address: '10.0.0.2', port: 7002, status: 'new', opened_at: null },
      {
        server_id: 1,
        name: '一区 青龙',
        address: 'game1.example.com',
        port: 7001,
        status: 'open',
        opened_at: null,
      },
    ]);
    const etag = list.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]+"$/);
    const again = await client.get('/api/server/list', { headers: { 'if-none-match': `W/"x", ${etag}` } });
    expect({ status: again.status, text: again.text, etag: again.headers.get('etag') }).toEqual({
      status: 304,
      text: '',
      etag,
    });

    await cli('zone', 'set', '2', '--status', 'closed');
    await expect.poll(async () => (await client.get('/api/server/list')).body.servers).toHaveLength(1);
    expect((await client.get('/api/server/list', { headers: { 'if-none-match': etag } })).status).toBe(200);
    expect(await cli('zone', 'add', '1', '--name', 'x', '--address', 'x', '--port', '1')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('already exists'),
    });
    expect(await cli('zone', 'set', '9', '--status', 'open')).toMatchObject({
      code: 3,
      stderr: 'gatehouse: there is no zone 9\n',
    });
    expect(await cli('zone', 'set', '1', '--status', 'opne')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('open, new, busy'),
    });
    expect(await cli('zone', 'set', '1', '--port', '99999')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('from 1 to 65535'),
    });
    expect(JSON.parse((await cli('zone', 'list', '--json')).stdout)).toHaveLength(2);
  });

  test('when a player enters, then the login is recorded and the game gets what it needs', async () => {
    const url = await engine.freshUrl();
    const app = await startTestApp(url, { client: { url: 'https://client.example.com/play' } });
    const { kysely } = app.db;
    await kysely
      .insertInto('server')
      .values({ server_id: 5, name: '五区', address: '10.1.1.5', port: 7005 })
      .execute();
    await expect.poll(() => app.features.zones.cache.find(5)).toBeDefined();
    const { token } = await app.register('enterer');
    const before = Date.now();
    const { status, body } = await app
      .from('203.0.113.50')
      .post('/api/enter_game', { server_id: 5 }, { token });
    expect(status).toBe(200);
    expect(body).toEqual({
      account: 'enterer',
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      server: { server_id: 5, name: '五区', address: '10.1.1.5', port: 7005 },
      launch_url: 'https://client.example.com/play?server_id=5',
    });
    await app.post('/api/enter_game', { server_id: 5 }, { token });
    const row = await kysely.selectFrom('player').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ last_server_id: 5, login_count: 2 });
    expect(row.last_login_at).toBeGreaterThanOrEqual(before - 1000);
    expect((await app.post('/api/login', { account: 'enterer', password: PASSWORD })).body.server_id).toBe(5);
  });

  test('when the game still compares hashes itself, then it gets the md5 token', async () => {
    const app = await startTestApp(await engine.freshUrl(), { auth: { game_token: 'legacy' } });
    await app.db.kysely
      .insertInto('server')
      .values({ server_id: 1, name: 'one', address: '10.1.1.1', port: 1 })
      .execute();
    await expect.poll(() => app.features.zones.cache.find(1)).toBeDefined();
    const { token } = await app.register('legacy_one');
    const { body } = await app.post('/api/enter_game', { server_id: 1 }, { token });
    expect(body.token).toMatch(/^[0-9a-f]{32}$/);
    expect((await app.post('/api/check', { account: 'legacy_one', token: body.token })).body.format).toBe(
      'legacy',
    );
  });

  test('when a zone is in maintenance, opens later, is closed or unknown, then the refusal says which', async () => {
    const app = await startTestApp(await engine.freshUrl());
    const opens = Date.now() + 3600_000;
    const zone = { address: '10.1.1.1', port: 1, status: 'open', message: null, opened_at: null };
    await app.db.kysely
      .insertInto('server')
      .values([
        { ...zone, server_id: 1, name: 'one', status: 'maintenance', message: '凌晨三点恢复' },
        { ...zone, server_id: 2, name: 'two', opened_at: opens },
        { ...zone, server_id: 3, name: 'three', status: 'closed' },
        { ...zone, server_id: 4, name: 'four', opened_at: Date.now() - 1 },
        { ...zone, server_id: 5, name: 'five', status: 'maintainance' },
      ])
      .execute();
    await expect.poll(() => app.features.zones.cache.all()).toHaveLength(5);
    const { token } = await app.register('visitor');
    const enter = (server_id: unknown) => app.post('/api/enter_game', { server_id }, { token });
    const maintenance = await enter(1);
    expect(maintenance).toMatchObject({ status: 503, body: { code: 'server_closed' } });
    expect(maintenance.body.detail).toContain('凌晨三点恢复');
    // Misspelt by SQL.
    expect((await enter(5)).body.code).toBe('server_closed');
    const early = await enter(2);
    expect(early).toMatchObject({
      status: 503,
      body: { code: 'server_closed', until: new Date(opens).toISOString() },
    });
    expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(3500);
    expect((await enter(3)).body.code).toBe('server_not_found');
    expect((await enter(99)).body.code).toBe('server_not_found');
    expect((await enter(4)).status).toBe(200);
    for (const bad of [0, -1, 1.5, '1', null, [1], 2 ** 31, '1 OR 1=1'])
      expect((await enter(bad)).body.errors[0].field).toBe('server_id');
    const { last_server_id, login_count } = await app.db.kysely
      .selectFrom('player')
      .selectAll()
      .executeTakeFirstOrThrow();
    expect({ last_server_id, login_count }).toEqual({ last_server_id: 4, login_count: 1 });
    expect((await app.get('/api/server/list')).body.servers).toHaveLength(4);
  });

  test('when probing is on, then the list shows which game ports answer, and nothing that differs by process', async () => {
    const game = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => game.once('listening', resolve));
    const { port } = game.address() as { port: number };
    const url = await engine.freshUrl();
    const app = await startTestApp(url, { zones: { probe_interval: 1 } });
    const zones = [
      { server_id: 1, name: 'up', address: '127.0.0.1', port },
      { server_id: 2, name: 'down', address: '127.0.0.1', port: 1 },
      { server_id: 3, name: 'no port', address: '127.0.0.1', port: 99_999 },
    ];
    await app.db.kysely.insertInto('server').values(zones).execute();
    await vi.waitFor(async () => {
      const { servers } = (await app.get('/api/server/list')).body;
      const listed = { status: 'open', opened_at: null };
      expect(servers).toEqual(zones.map((zone) => ({ ...zone, ...listed, up: zone.name === 'up' })));
    }, TIMEOUT_MS);
    game.close();
  });
});
