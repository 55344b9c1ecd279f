import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import { mailText, waitForOutboxMail } from '../../test-support/mail.ts';
import type { Db } from '../src/db/open.ts';
import { chatStore } from '../src/features/chat/store.ts';
import { reconcile } from '../src/features/withdraw/recovery/reconcile.ts';
import { auditRows } from './support/audit.ts';
import { BIND, person, startForumApp } from './support/forum-app.ts';
import { ADDRESS, EMAIL, idOf, makePlayer, NAME, settings } from './support/full-player.ts';
import { makeOperator } from './support/operator.ts';
import { fates } from './support/player-columns.ts';
import { freshAddress, PASSWORD, startTestApp, type TestApp } from './support/test-app.ts';
import { codeAt, stopClock, turnOn } from './support/totp.ts';
import { addPlayerWithRole, startWithdrawApp } from './support/withdraw-app.ts';

/** Returns the columns of every table in the database. */
async function columnsOf({ kysely, engine }: Db): Promise<Record<string, string[]>> {
  const { rows } =
    engine === 'sqlite'
      ? await sql<{ t: string; c: string }>`
          select m.name as t, i.name as c from sqlite_master m, pragma_table_xinfo(m.name) i
          where m.type = 'table' and m.name not like 'sqlite_%'`.execute(kysely)
      : await sql<{ t: string; c: string }>`
          select table_name as t, column_name as c from information_schema.columns
          where table_schema = database()`.execute(kysely);
  const byTable = Map.groupBy(rows, ({ t }) => t);
  return Object.fromEntries([...byTable].map(([t, list]) => [t, list.map(({ c }) => c).sort()]));
}

/** Returns every value of every table that contains one of these texts, ignoring case. */
async function placesOf({ kysely }: Db, columns: Record<string, string[]>, texts: readonly string[]) {
  const places: string[] = [];
  for (const [table, names] of Object.entries(columns)) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(kysely);
    for (const row of rows)
      for (const name of names) {
        const value = String(row[name]).toLowerCase();
        for (const text of texts) if (value.includes(text.toLowerCase())) places.push(`${table}.${name}`);
      }
  }
  return [...new Set(places)].sort();
}

/** Simulates the passing of days. */
const daysLater = ({ db }: Pick<TestApp, 'db'>, days: number) =>
  db.kysely
    .updateTable('player')
    .set(({ eb }) => ({ deletion_at: eb('deletion_at', '-', days * 24 * 3600 * 1000) }))
    .where('deletion_at', 'is not', null)
    .execute();

async function askForDeletion(app: TestApp, token: string) {
  const code = await app.code(EMAIL, { purpose: 'delete' });
  const owner = app.from(ADDRESS);
  return owner.post('/api/account/delete', { password: PASSWORD, code }, { token });
}

describeOnEngines('an account that its owner deletes', (engine) => {
  test('when a column is added to the database, then its treatment at an erasure is decided', async () => {
    const app = await startTestApp(await engine.freshUrl());
    const decided = Object.entries(fates).map(([table, columns]) => [table, Object.keys(columns).sort()]);
    const { migration_lock, chat_name, ...expected } = Object.fromEntries(decided);
    const onMysql = app.db.engine === 'mysql';
    expect(await columnsOf(app.db)).toEqual(onMysql ? { ...expected, migration_lock, chat_name } : expected);
  });

  test('when the delay is over, then no table and no log line has its name, e-mail or address, and the name cannot be registered', async () => {
    const app = await startTestApp(await engine.freshUrl(), settings);
    const { id, token, boss } = await makePlayer(app);
    // More exports than one batch, all at the same time.
    const exports = Array.from({ length: 1100 }, (_, n) => ({
      id: `export-${String(n).padStart(4, '0')}`,
      at: 1,
      actor: 'boss',
      via: 'console',
      action: 'export',
      after: JSON.stringify({ q: n === 1050 ? NAME : 'somebody' }),
    }));
    for (const part of [exports.slice(0, 550), exports.slice(550)])
      await app.db.kysely.insertInto('audit').values(part).execute();
    const columns = await columnsOf(app.db);
    const texts = [NAME, EMAIL, 'typo@example.com', ADDRESS, 'connect-4711', 'Pixel of'];
    const reply = await askForDeletion(app, token);
    expect(reply.status).toBe(200);
    const days = (Date.parse(reply.body.deletion_at) - Date.now()) / (24 * 3600 * 1000);
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThan(7.1);
    expect((await app.get('/api/account', { token })).body.deletion_at).toBe(reply.body.deletion_at);
    expect((await boss.get(`players/${id}`)).body.deletion_at).toBe(reply.body.deletion_at);
    await waitForOutboxMail(`${app.folder}/outbox`, EMAIL, [], (raw) =>
      mailText(raw).includes('You asked us to delete your account'),
    );
    await daysLater(app, 6.9);
    await app.features.ownAccount.eraseJob.run();
    expect((await app.get('/api/account', { token })).body.account).toBe(NAME);

    // Roles are by name in a table of MariaDB.
    if (engine.name === 'mariadb') await chatStore(app.db, { insertMs: -1 }).indexOldest(100);
    const before = await placesOf(app.db, columns, texts);
    const holding = Object.entries(fates).flatMap(([table, list]) =>
      Object.values(list).includes('erased') ? [table] : [],
    );
    // Makes sure that the search finds the texts in every table, except those with only ids and hashes.
    const unnamed = ['player_login_journal', 'player_zone', 'forum_account', 'two_factor', 'recovery_code'];
    if (engine.name === 'sqlite') unnamed.push('chat_name');
    const seen = new Set(before.map((place) => place.split('.')[0] ?? ''));
    expect(holding.filter((table) => !seen.has(table) && !unnamed.includes(table))).toEqual([]);

    await daysLater(app, 0.2);
    await app.features.ownAccount.eraseJob.run();
    expect(await placesOf(app.db, columns, texts)).toEqual([]);
    const log = () => readFileSync(join(app.folder, 'service.log'), 'utf8');
    await expect.poll(log).toContain('an account was erased');
    for (const text of [NAME, EMAIL, ADDRESS, 'connect-4711', 'Pixel of']) expect(log()).not.toContain(text);
    const { kysely } = app.db;
    for (const table of [
      'two_factor',
      'recovery_code',
      'forum_account',
      'player_login',
      'player_zone',
    ] as const)
      expect(await kysely.selectFrom(table).selectAll().execute()).toEqual([]);
    expect(await kysely.selectFrom('chat').select('content').execute()).toEqual([{ content: 'hello' }]);
    expect(await kysely.selectFrom('withdraw').select(['id', 'player_id', 'amount']).execute()).toEqual([
      { id: 'w-1', player_id: id, amount: 5 },
    ]);
    const row = await kysely.selectFrom('player').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ id, account: `#${id}`, password_hash: '', email: '', deletion_at: null });
    const player = await boss.get(`players/${id}`);
    expect(player).toMatchObject({ status: 200, body: { account: `#${id}`, withdrawals: [{ id: 'w-1' }] } });

    expect((await app.get('/api/account', { token })).status).toBe(401);
    const login = { account: NAME, password: PASSWORD };
    expect((await app.from(freshAddress()).post('/api/login', login)).body.code).toBe('invalid_credentials');
    const again = { ...login, account: NAME.toUpperCase(), email: EMAIL, code: await app.code(EMAIL) };
    const taken = await app.from(freshAddress()).post('/api/register', again);
    expect([taken.status, taken.body.code]).toEqual([409, 'account_taken']);
    const another = { ...again, account: 'Another' };
    expect((await app.from(freshAddress()).post('/api/register', another)).status).toBe(201);
    const csv = join(app.folder, 'old.csv');
    writeFileSync(csv, `account,password_hash\n${NAME},${'a'.repeat(32)}\nold_one,${'b'.repeat(32)}\n`);
    const imported = JSON.parse((await app.cli('import', '--csv', csv, '--apply', '--json')).stdout);
    expect(imported).toMatchObject({ read: 2, imported: 1 });
  });

  test('when a player’s name is also a state or an operator’s name, then the erasure leaves those words in the audit', async () => {
    const app = await startTestApp(await engine.freshUrl(), settings);
    const boss = await makeOperator(app);
    await app.register('banned', { email: EMAIL });
    const id = await idOf(app, 'banned');
    await boss.post(`players/${id}/ban`, { reason: 'was banned elsewhere' });
    await boss.post(`players/${id}/unban`, { reason: 'appeal' });
    for (const path of [
      'players?status=banned',
      'players?q=Banned',
      'audit?actor=banned',
      'chat?account=banned',
    ])
      await boss.get(path, { headers: { accept: 'text/csv' } });
    const login = await app.from(ADDRESS).post('/api/login', { account: 'banned', password: PASSWORD });
    expect((await askForDeletion(app, login.body.token)).status).toBe(200);
    await daysLater(app, 8);
    await app.features.ownAccount.eraseJob.run();
    const rows = (await auditRows(app.db)).filter(({ subject_kind }) => subject_kind !== 'operator');
    const texts = rows.map(({ action, reason, before, after }) => [
      action,
      reason,
      before && JSON.parse(before).status,
      after && (action === 'export' ? JSON.parse(after) : JSON.parse(after).status),
    ]);
    const expected = [
      ['player.ban', `was #${id} elsewhere`, 'active', 'banned'],
      ['player.unban', 'appeal', 'banned', 'active'],
      ['export', null, null, { status: 'banned' }],
      ['export', null, null, { q: `#${id}` }],
      ['export', null, null, { actor: 'banned' }],
      ['export', null, null, { account: `#${id}` }],
    ];
    expect(new Set(texts)).toEqual(new Set(expected));
  });

  test('when the owner logs in on the last day, by password, by forum or with a second factor, then the account stays', async () => {
    stopClock();
    const app = await startForumApp(await engine.freshUrl(), settings);
    await app.register(NAME, { email: EMAIL });
    const visitor = person(5);
    const bind = { ticket: await app.ticket(visitor), account: NAME, password: PASSWORD };
    const { token } = (await app.post(BIND, bind)).body;
    const ways = [
      () => app.post('/api/login', { account: NAME, password: PASSWORD }),
      async () => app.post(BIND, { ticket: await app.ticket(visitor) }),
    ];
    const withCode = async () => {
      const { secret } = await turnOn(app, token);
      const begun = await app.post('/api/login', { account: NAME, password: PASSWORD });
      expect(begun.body.code).toBe('second_factor_required');
      expect((await app.get('/api/account', { token })).body.deletion_at).not.toBeNull();
      const { challenge } = begun.body;
      return app.post('/api/login/second_factor', { challenge, code: await codeAt(secret) });
    };
    for (const logIn of [...ways, withCode]) {
      expect((await askForDeletion(app, token)).status).toBe(200);
      await daysLater(app, 6.99);
      expect((await app.post('/api/login', { account: NAME, password: 'wrong' })).status).toBe(401);
      expect((await app.get('/api/account', { token })).body.deletion_at).not.toBeNull();
      expect((await logIn()).status).toBe(200);
      expect((await app.get('/api/account', { token })).body.deletion_at).toBeNull();
      await daysLater(app, 1);
      await app.features.ownAccount.eraseJob.run();
      expect((await app.get('/api/account', { token })).body.account).toBe(NAME);
    }
  });

  test('when the time of a deletion has come, then no login cancels it', async () => {
    const app = await startTestApp(await engine.freshUrl(), settings);
    const { token } = await app.register(NAME, { email: EMAIL });
    expect((await askForDeletion(app, token)).status).toBe(200);
    await daysLater(app, 7);
    expect((await app.post('/api/login', { account: NAME, password: PASSWORD })).status).toBe(401);
    await app.features.ownAccount.eraseJob.run();
    const row = await app.db.kysely.selectFrom('player').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ account: `#${row.id}`, deletion_at: null });
  });

  test('when password or code are missing or wrong, then nothing is scheduled', async () => {
    const app = await startTestApp(await engine.freshUrl(), settings);
    const { token } = await app.register(NAME, { email: EMAIL });
    const ask = async (body: object) => {
      const answer = await app.from(freshAddress()).post('/api/account/delete', body, { token });
      return [answer.status, answer.body.code];
    };
    const code = await app.code(EMAIL, { purpose: 'delete' });
    expect(await ask({ code })).toEqual([400, 'invalid_request']);
    expect(await ask({ code, password: 'wrong' })).toEqual([401, 'invalid_credentials']);
    expect(await ask({ code: await app.code(EMAIL), password: PASSWORD })).toEqual([422, 'invalid_code']);
    expect((await app.get('/api/account', { token })).body.deletion_at).toBeNull();
    await app.db.kysely.updateTable('player').set({ email: '', email_key: null }).execute();
    expect(await ask({ code, password: PASSWORD })).toEqual([422, 'invalid_code']);
  });

  test('when another old account differs only by a letter like Ä and ä, then its chat is neither exported nor erased', async () => {
    const app = await startTestApp(await engine.freshUrl(), settings);
    const { token, id } = await makePlayer(app);
    const { kysely } = app.db;
    await kysely.updateTable('player').set({ account: 'ÄrzteB' }).where('id', '=', id).execute();
    await kysely.insertInto('player').values({ account: 'ärzteB' }).execute();
    const line = (account: string) => ({ server_id: 1, account, role: account, content: `of ${account}` });
    const own = ['ÄrzteB', 'Ärzteb', 'ÄRZTEB'];
    const others = ['ärzteB', 'ärzteb', 'äRZTEB'];
    await kysely.deleteFrom('chat').execute();
    await kysely
      .insertInto('chat')
      .values([...own, ...others].map(line))
      .execute();
    const { body } = await app.get('/api/account/export', { token });
    expect(body.chat.map(({ account }: { account: string }) => account).sort()).toEqual(own.toSorted());

    expect((await askForDeletion(app, token)).status).toBe(200);
    await daysLater(app, 8);
    await app.features.ownAccount.eraseJob.run();
    const left = await kysely.selectFrom('chat').select('account').execute();
    expect(left.map(({ account }) => account).sort()).toEqual(others.toSorted());
  });

  test('when an erasure stops half way, then another instance finishes it, and nobody can log in meanwhile', async () => {
    const url = await engine.freshUrl();
    const app = await startTestApp(url, settings);
    const { token, id } = await makePlayer(app);
    await askForDeletion(app, token);
    await daysLater(app, 8);
    // The state left by a process killed after the first step.
    const columns = await columnsOf(app.db);
    const { kysely, now } = app.db;
    await kysely
      .updateTable('player')
      .set({ erased_at: now, password_hash: '', token_version: 99, email: '', email_key: null, ip: '' })
      .execute();
    await kysely.deleteFrom('player_connect_threeparty').execute();
    const login = await app.from(freshAddress()).post('/api/login', { account: NAME, password: PASSWORD });
    expect(login.body.code).toBe('invalid_credentials');
    await app.stop();
    const second = await startTestApp(url, settings);
    await second.features.ownAccount.eraseJob.run();
    const left = (await placesOf(second.db, columns, [NAME])).filter((place) => place.startsWith('chat'));
    expect(left).toEqual([]);
    const row = await second.db.kysely.selectFrom('player').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ id, account: `#${id}`, deletion_at: null });
  });

  test('when it had withdrawn, then its withdrawals reconcile as before; an open one delays the erasure', async () => {
    const gm = { receipt_operation: 10031 };
    const app = await startWithdrawApp(await engine.freshUrl(), {
      settings: { gm },
      zone: { receipts: true },
    });
    const { player, body } = await addPlayerWithRole(app);
    expect((await app.withdraw(player, body)).status).toBe(200);
    const { kysely } = app.db;
    const { features } = app.service;
    const reconciled = () => reconcile(features.withdraw)({ since: 0, until: Date.now() + 60_000 });
    const before = await reconciled();
    expect(before).toMatchObject([{ done: 1, done_amount: 100, receipts: 1, drift: 0 }]);
    await kysely
      .insertInto('withdraw')
      .values({ id: 'w-2', player_id: player.id, server_id: 1, amount: 5, state: 'sending', open_key: 'k' })
      .execute();
    await kysely.updateTable('player').set({ deletion_at: 1 }).execute();
    await features.ownAccount.eraseJob.run();
    expect((await kysely.selectFrom('player').select('account').execute())[0]?.account).toBe('alice');
    await kysely.deleteFrom('withdraw').where('id', '=', 'w-2').execute();
    await features.ownAccount.eraseJob.run();
    expect((await kysely.selectFrom('player').select('account').execute())[0]?.account).toBe(`#${player.id}`);
    expect(await reconciled()).toEqual(before);
  });
});
