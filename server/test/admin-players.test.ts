import { expect, test } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import { auditRows } from './support/audit.ts';
import { makeOperator } from './support/operator.ts';
import { freshAddress, PASSWORD, startTestApp } from './support/test-app.ts';

const relaxed = { console: { require_totp: false } };

type Listed = { player_id: number; account: string };

describeOnEngines('players for operators', (engine) => {
  test('when a player has just logged in, then the page of the player shows it', async () => {
    const app = await startTestApp(await engine.freshUrl(), relaxed);
    const boss = await makeOperator(app);
    await app.register('Fresh');
    const { logins } = (await boss.get('players/1')).body;
    expect(logins.map(({ kind }: { kind: string }) => kind)).toEqual(['register']);
  });

  test('when players are searched, then each kind of search text finds them', async () => {
    const app = await startTestApp(await engine.freshUrl(), relaxed);
    const boss = await makeOperator(app);
    const { kysely } = app.db;
    const player = (account: string, more: object = {}) => ({
      account,
      password_hash: 'a'.repeat(32),
      email: `${account.toLowerCase()}@example.com`,
      ip: '',
      status: 'active',
      banned_until: null,
      agent_id: null,
      ...more,
    });
    await kysely
      .insertInto('player')
      .values([
        player('Wang', { ip: '203.0.113.9', agent_id: 7 }),
        player('wanglin', { ip: '203.0.113.10', status: 'banned' }),
        player('wangwei', { ip: '2001:db8::1', status: 'banned', banned_until: 1 }),
        player('12', { ip: '203.0.113.9' }),
        player('zhao', { agent_id: 7 }),
        player('old@name.example', { email: 'other@example.com' }),
      ])
      .execute();
    const ids = new Map(
      (await kysely.selectFrom('player').select(['id', 'account']).execute()).map((row) => [
        row.account,
        row.id,
      ]),
    );
    const id = (account: string) => ids.get(account) ?? 0;
    await kysely
      .insertInto('player_connect_threeparty')
      .values({ connect_id: 'forum-77', player_id: id('zhao') })
      .execute();
    const withdrawal = '0190f3a2-1111-7abc-8def-0123456789ab';
    await kysely
      .insertInto('withdraw')
      .values([
        { id: withdrawal, player_id: id('wangwei'), server_id: 1, amount: 5 },
        { id: 'Order-7', player_id: id('zhao'), server_id: 1, amount: 5 },
      ] as never)
      .execute();
    await kysely
      .insertInto('player_login')
      .values({ player_id: id('zhao'), kind: 'login', code: null, server_id: null, ip: '203.0.113.9' })
      .execute();

    const find = async (query: string) => {
      const { status, body } = await boss.get(`players?${query}`);
      expect([query, status]).toEqual([query, 200]);
      return body.players.map(({ account }: Listed) => account);
    };
    expect(await find('')).toEqual(['old@name.example', 'zhao', '12', 'wangwei', 'wanglin', 'Wang']);
    expect(await find('q=WANG')).toEqual(['Wang', 'wanglin', 'wangwei']);
    expect(await find('q=wanglin')).toEqual(['wanglin']);
    expect(await find('q=%20Wang@Example.com')).toEqual(['Wang']);
    expect(await find('q=203.0.113.9')).toEqual(['zhao', '12', 'Wang']);
    expect(await find('q=2001:DB8:0::1')).toEqual(['wangwei']);
    expect(await find(`q=${id('wanglin')}`)).toContain('wanglin');
    expect(await find('q=12')).toContain('12');
    expect(await find('q=forum-77')).toEqual(['zhao']);
    expect(await find(`q=${withdrawal.toUpperCase()}`)).toEqual(['wangwei']);
    expect(await find('q=Order-7')).toEqual(['zhao']);
    expect(await find('q=OLD@name.exam')).toEqual(['old@name.example']);
    expect(await find('q=nobody')).toEqual([]);
    expect(await find('status=banned')).toEqual(['wanglin']);
    expect(await find('status=active')).toEqual(['old@name.example', 'zhao', '12', 'wangwei', 'Wang']);
    expect(await find('agent_id=7')).toEqual(['zhao', 'Wang']);
    expect(await find('q=wang&status=banned')).toEqual(['wanglin']);
    for (const query of ['limit=0', 'limit=201', 'status=gone', 'q=', 'agent_id=x', 'cursor=x', 'other=1'])
      expect([query, (await boss.get(`players?${query}`)).status]).toEqual([query, 400]);

    // Found by its id and by name.
    await kysely
      .insertInto('player')
      .values([
        { ...player('7775'), id: 777 },
        ...['7771', '7772', '7778', '7779'].map((name) => player(name)),
      ])
      .execute();
    for (const query of ['', 'q=wang', `q=${id('Wang')}`, 'q=203.0.113.9', 'q=777']) {
      const whole = await find(query);
      const paged: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { body } = await boss.get(`players?${query}&limit=1${cursor && `&cursor=${cursor}`}`);
        paged.push(...body.players.map(({ account }: Listed) => account));
        cursor = body.next;
      }
      expect([query, paged]).toEqual([query, whole]);
    }
  });

  test('when a player is shown, then everything except secrets is included, masked for operators without the permission', async () => {
    const app = await startTestApp(await engine.freshUrl(), relaxed);
    const support = await makeOperator(app, { name: 'support', role: 'support', zones: [1] });
    const viewer = await makeOperator(app, { name: 'viewer', role: 'viewer' });
    const { kysely } = app.db;
    const given = { password_hash: 'a'.repeat(32), ip: '203.0.113.9', server_id: 1 };
    await kysely
      .insertInto('player')
      .values([
        {
          ...given,
          account: 'alice',
          email: 'alice@example.com',
          last_login_ip: '2001:db8:1::7',
          legacy_seen_at: 1_700_000_000_000,
        },
        {
          ...given,
          account: 'other',
          email: 'other@example.com',
          last_login_ip: null,
          legacy_seen_at: null,
        },
      ])
      .execute();
    await kysely
      .insertInto('withdraw')
      .values(
        [1, 2].map(
          (server_id) =>
            ({ id: `w-${server_id}`, player_id: 1, server_id, amount: 5, role_name: 'Hero' }) as never,
        ),
      )
      .execute();
    await kysely
      .insertInto('player_login')
      .values({
        player_id: 1,
        kind: 'refused',
        code: 'invalid_credentials',
        server_id: null,
        ip: '203.0.113.77',
        agent: 'Firefox',
      })
      .execute();
    expect((await support.post('players/1/notes', { text: 'asked about the <b>event</b>' })).status).toBe(
      201,
    );

    const shown = (await support.get('players/1')).body;
    expect(shown).toMatchObject({
      player_id: 1,
      account: 'alice',
      email: 'alice@example.com',
      status: 'active',
      ip: '203.0.113.9',
      last_login_ip: '2001:db8:1::7',
      legacy_seen_at: '2023-11-14T22:13:20.000Z',
      two_factor: false,
      bindings: [],
      notes: [{ text: 'asked about the <b>event</b>', by: 'support' }],
      logins: [{ kind: 'refused', code: 'invalid_credentials', ip: '203.0.113.77', agent: 'Firefox' }],
      withdrawals: [{ id: 'w-1', server_id: 1, amount: 5, role_name: 'Hero', state: 'accepted' }],
      same_address: [{ player_id: 2, account: 'other', status: 'active' }],
    });
    expect(JSON.stringify(shown)).not.toContain(given.password_hash);
    const masked = (await viewer.get('players/1')).body;
    expect([masked.email, masked.ip, masked.last_login_ip, masked.logins[0].ip]).toEqual([
      'a***@example.com',
      '203.0.113.*',
      '2001:db8:*',
      '203.0.113.*',
    ]);
    expect(masked.withdrawals).toHaveLength(2);
    expect((await viewer.get('players?q=alice')).body.players[0].email).toBe('a***@example.com');
    for (const q of ['alice@example.com', '203.0.113.9', '2001:db8:1::7'])
      expect((await viewer.get(`players?q=${q}`)).body.players).toEqual([]);
    expect((await viewer.get('players/99')).body.code).toBe('account_not_found');
  });

  test('when support changes a player, then it takes effect immediately, with one audit row each', async () => {
    const app = await startTestApp(await engine.freshUrl(), relaxed);
    const support = await makeOperator(app, { name: 'support', role: 'support' });
    const { token } = await app.register('alice');
    await app.register('bobby');
    const isIn = async (with_: string) => (await app.get('/api/bind', { token: with_ })).status;
    const login = async (password = PASSWORD) =>
      app.from(freshAddress()).post('/api/login', { account: 'alice', password });

    const until = new Date(Date.now() + 3_600_000).toISOString();
    expect((await support.post('players/1/ban', { until })).status).toBe(400);
    const past = await support.post('players/1/ban', { reason: 'x', until: '2020-01-01T00:00:00Z' });
    expect([past.status, past.body.errors[0].field]).toEqual([400, 'until']);
    const banned = await support.post('players/1/ban', { reason: 'sold gold', until });
    expect(banned.body).toMatchObject({ player_id: 1, status: 'banned', audit_id: expect.any(String) });
    expect([await isIn(token), (await login()).body.reason]).toEqual([403, 'sold gold']);
    expect((await support.post('players/1/unban', { reason: 'appeal' })).body.status).toBe('active');
    const again = (await login()).body.token;
    expect(await isIn(again)).toBe(200);
    expect((await support.post('players/1/sign_out', {})).status).toBe(200);
    expect(await isIn(again)).toBe(401);

    const reset = await support.post('players/1/reset_password', { reason: 'lost it' });
    expect((await login()).status).toBe(401);
    const renewed = await login(reset.body.temporary_password);
    expect(renewed.status).toBe(200);

    await app.db.kysely.insertInto('player').values({ account: 'old', email: 'old@example.com' }).execute();
    for (const email of ['Bobby@example.com', 'Old@example.com']) {
      const taken = await support.post('players/1/email', { email, reason: 'asked' });
      expect([taken.status, taken.body.code]).toEqual([409, 'email_taken']);
    }
    const moved = await support.post('players/1/email', { email: 'New@Example.com ', reason: 'asked' });
    expect(moved.body).toMatchObject({ email: 'new@example.com' });
    expect(await isIn(renewed.body.token)).toBe(401);
    expect(
      (await support.post('players/1/email', { email: 'new@example.com', reason: 'asked' })).body.audit_id,
    ).toBeNull();
    for (const act of ['ban', 'unban', 'reset_password'])
      expect((await support.post(`players/99/${act}`, { reason: 'x' })).body.code).toBe('account_not_found');

    const rows = (await auditRows(app.db)).filter(
      ({ actor, action }) => actor === 'support' && action.startsWith('player.'),
    );
    expect(
      rows.map(({ action, reason, subject_kind, subject_id }) => [action, reason, subject_kind, subject_id]),
    ).toEqual([
      ['player.ban', 'sold gold', 'player', '1'],
      ['player.unban', 'appeal', 'player', '1'],
      ['player.sign_out', null, 'player', '1'],
      ['player.reset_password', 'lost it', 'player', '1'],
      ['player.set_email', 'asked', 'player', '1'],
    ]);
    const everything = JSON.stringify(rows);
    expect(everything).not.toContain(reset.body.temporary_password);
    expect(everything).toContain('new@example.com');
  });

  test('when a list is exported, then the file is complete, safe for spreadsheets, masked and recorded', async () => {
    const app = await startTestApp(await engine.freshUrl(), relaxed);
    const viewer = await makeOperator(app, { name: 'viewer', role: 'viewer' });
    const formulas = ['=cmd|calc,"x"', 'a;=1+1', '＝1+1', '＠SUM(A1)', ' +1', 'a\t-1'];
    const values = Array.from({ length: 2500 }, (_, n) => ({
      account: formulas[n] ?? `p${n}`,
      password_hash: 'a'.repeat(32),
      email: `p${n}@example.com`,
    }));
    await app.db.kysely.insertInto('player').values(values).execute();
    const file = await viewer.get('players', { headers: { accept: 'text/csv' } });
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(file.headers.get('cache-control')).toBe('no-store');
    const lines = file.text.trimEnd().split('\r\n');
    expect(lines[0]).toBe('player_id,account,email,status,created_at,last_login_at,last_server_id,agent_id');
    expect(lines).toHaveLength(2501);
    expect(new Set(lines).size).toBe(2501);
    for (const cell of [`"'=cmd|calc,""x"""`, '"a;=1+1"', `"'＝1+1"`, `"'＠SUM(A1)"`, `"' +1"`, '"a\t-1"'])
      expect(file.text).toContain(`,${cell},`);
    expect(file.text).toContain('p***@example.com');
    expect(file.text).not.toContain('p1@example.com');
    const rows = (await auditRows(app.db)).filter(({ action }) => action === 'export');
    expect(file.headers.get('x-row-limit')).toBe('100000');
    const excel = await viewer.get('players?excel=1&q=p2499', { headers: { accept: 'text/csv' } });
    expect(excel.text.trimEnd().split('\r\n')).toHaveLength(2);
    expect(rows).toMatchObject([{ actor: 'viewer', subject_kind: 'list', subject_id: 'players' }]);
  });
});
