import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import { cleanEnvironment, serviceEntry } from '../../test-support/gatehouse.ts';
import { startProcess, tempDir } from '../../test-support/process.ts';
import { runCommand } from '../../test-support/run-command.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { migrate } from '../src/db/migrate.ts';
import { openDatabase } from '../src/db/open.ts';
import { createDialect } from '../src/features/shadow/exchange.ts';
import { createShadow } from '../src/features/shadow/shadow.ts';
import { configOf } from './support/cli-config.ts';
import { dumpOf } from './support/database-dump.ts';
import { oldHash } from './support/import-fixture.ts';

const SECRETS = ['Right-Password-1', 'Wrong-Password-1', oldHash('Right-Password-1'), oldHash('another')];
const [RIGHT, WRONG, TOKEN, OTHER_TOKEN] = SECRETS as [string, string, string, string];
const form = 'application/x-www-form-urlencoded';
const YES = '{"code":0}';
const NO = '{"code":1,"msg":"no"}';

/** Opens a database with players that a login would change: a plain hash to seal, a deletion to cancel. */
async function openPlayers(url: string) {
  const db = await openDatabase(url);
  onTestFinished(db.close);
  await migrate(db);
  const players = [
    { account: 'ann', password_hash: TOKEN },
    { account: '张三', password_hash: TOKEN.toUpperCase() },
    { account: 'leaving', password_hash: TOKEN, deletion_at: 4_000_000_000_000 },
    { account: 'banned', password_hash: TOKEN, status: 'banned' as const },
    { account: 'guarded', password_hash: TOKEN, two_factor: 1 },
  ];
  for (const player of players) await db.kysely.insertInto('player').values(player).execute();
  return db;
}

const line = (url: string, body: string, answer: string, { type = form, status = 200 } = {}) =>
  `${JSON.stringify({ request: { method: 'POST', url, type, body }, answer: { status, body: answer } })}\n`;

const json = (body: object) => JSON.stringify(body);

describeOnEngines('shadow', (engine) => {
  test('when recorded answers are compared, then differences are named, nothing is written and no secret is printed', async () => {
    const url = await engine.freshUrl();
    const db = await openPlayers(url);
    const before = await dumpOf(db);
    const file = join(tempDir('shadow'), 'exchanges.jsonl');
    const sealed = {
      auth: { password_key: 'old-generation-key', jwt_secret: 'j'.repeat(40), seal_key: 's'.repeat(40) },
    };
    const gbk = '%D5%C5%C8%FD';
    writeFileSync(
      file,
      [
        line('/login.php', `user=ann&pass=${RIGHT}`, YES),
        line('/login.php', `user=ann&pass=${WRONG}`, NO),
        line('/login.php', json({ user: 'ann', pass: RIGHT }), YES, { type: 'application/json' }),
        line(`/api.php?do=check&user=ann&sign=${TOKEN}`, '', `cb(${YES});`),
        line('/api.php?do=check', `user=${gbk}&sign=${TOKEN}`, YES),
        line('/api.php?do=check', `user=ann&sign=${OTHER_TOKEN}`, NO),
        line('/login.php', `user=leaving&pass=${RIGHT}`, YES),
        ...Array.from({ length: 200 }, () => line('/login.php', `user=ann&pass=${WRONG}`, NO)),
        line('/login.php', `user=ann&pass=${WRONG}`, YES),
        line('/login.php', `user=ann&pass=${RIGHT}`, NO),
        line('/login.php', `user=nobody&pass=${RIGHT}`, YES),
        line('/login.php', `user=banned&pass=${RIGHT}`, YES),
        line('/login.php', `user=guarded&pass=${RIGHT}`, YES),
        line('/api.php?do=check', `user=ann&sign=${OTHER_TOKEN}`, YES),
        line('/api.php?do=list', '', YES),
        line('/login.php', `user=ann&pass=${RIGHT}`, '<b>welcome</b>'),
        'no JSON\n',
      ].join(''),
    );
    const options = ['--routes', 'login=/login.php,check=/api.php?do=check', '--encoding', 'gb18030'];
    const args = [
      'takeover',
      'shadow',
      '--log',
      file,
      ...options,
      '--fields',
      'account=user,password=pass,token=sign',
    ];
    const config = configOf(url, sealed);
    const forScripts = await runCommand([...args, '--json'], { config });
    expect(JSON.parse(forScripts.stdout)).toEqual({
      routes: [
        { route: 'login', compared: 209, agreed: 204, differed: 5 },
        { route: 'check', compared: 4, agreed: 3, differed: 1 },
      ],
      differences: [
        { route: 'login', account: 'ann', old: 'accepted', ours: 'invalid_credentials', at: '208' },
        { route: 'login', account: 'ann', old: 'refused', ours: 'accepted', at: '209' },
        { route: 'login', account: 'nobody', old: 'accepted', ours: 'invalid_credentials', at: '210' },
        { route: 'login', account: 'banned', old: 'accepted', ours: 'account_suspended', at: '211' },
        { route: 'login', account: 'guarded', old: 'accepted', ours: 'second_factor_required', at: '212' },
        { route: 'check', account: 'ann', old: 'accepted', ours: 'invalid_token', at: '213' },
      ],
      skipped: 1,
      unreadable: 2,
      dropped: 0,
      failed: 0,
    });
    expect(await dumpOf(db)).toEqual(before);

    const forPeople = await runCommand([...args, '--strict'], { config });
    expect(forPeople.code).toBe(1);
    expect(forPeople.stdout).toContain('answers that differ: 6\n');
    const printed = [forScripts, forPeople].map(({ stdout, stderr }) => stdout + stderr).join('');
    for (const secret of SECRETS) expect(printed).not.toContain(secret);
  });
});

/** An old service in Node. Compresses its answers, and has its own texts and headers. */
async function startOldService(handle?: RequestListener): Promise<string> {
  const server = createServer(
    handle ??
      (async (request, response) => {
        const body = Buffer.concat(await request.toArray()).toString();
        if (request.url?.startsWith('/page')) return void response.writeHead(418, 'Tea').end(body);
        const isRight = body.includes(RIGHT) || body.includes(TOKEN);
        response.setHeader('Set-Cookie', ['a=1', 'b=2']);
        response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Encoding': 'gzip' });
        response.end(gzipSync(isRight ? YES : NO));
      }),
  );
  server.listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function startShadow(config: string, old: string, ...options: string[]) {
  const running = await startProcess({
    command: process.execPath,
    args: [
      serviceEntry(),
      ...['takeover', 'shadow', '--proxy', '127.0.0.1:0', '--to', old, '--json', '--config', config],
      ...options,
    ],
    env: cleanEnvironment(),
    ready: (output) => output.includes('listening on'),
  });
  const [notice = ''] = running.output().split('\n');
  const url = `http://${/127\.0\.0\.1:\d+/.exec(notice)?.[0]}`;
  return {
    url,
    async end() {
      await running.stop('SIGINT');
      const output = running.output();
      for (const secret of SECRETS) expect(output).not.toContain(secret);
      return JSON.parse(output.slice(output.indexOf('\n')));
    },
  };
}

const post = (url: string, fields: Record<string, string>) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields) });

test('when the shadow runs in front of the old service, then its answers pass unchanged and differences are counted', async () => {
  const url = freshSqlite(tempDir('shadow'));
  const db = await openPlayers(url);
  const before = await dumpOf(db);
  const shadow = await startShadow(configOf(url), await startOldService());
  const answers = await Promise.all([
    post(`${shadow.url}/login.php`, { account: 'ann', password: RIGHT }),
    post(`${shadow.url}/login.php`, { account: 'ann', password: WRONG }),
    post(`${shadow.url}/check.php`, { account: '张三', token: TOKEN }),
    post(`${shadow.url}/login.php`, { account: 'nobody', password: RIGHT }),
  ]);
  expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual([YES, NO, YES, YES]);
  expect(answers[0]?.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  const page = await fetch(`${shadow.url}/page?x=1`, { method: 'PUT', body: 'x'.repeat(300_000) });
  expect([page.status, page.statusText, (await page.text()).length]).toEqual([418, 'Tea', 300_000]);

  expect(await shadow.end()).toMatchObject({
    routes: [
      { route: 'login', compared: 3, agreed: 2, differed: 1 },
      { route: 'check', compared: 1, agreed: 1, differed: 0 },
    ],
    differences: [{ route: 'login', account: 'nobody', old: 'accepted', ours: 'invalid_credentials' }],
    dropped: 0,
    failed: 0,
  });
  expect(await dumpOf(db)).toEqual(before);
});

test('when an account changed there since the last import, then the second comparison finds no difference', async () => {
  const url = freshSqlite(tempDir('shadow'));
  const db = await openPlayers(url);
  const shadow = await startShadow(configOf(url), await startOldService(), '--recheck', '600');
  for (const account of ['late', 'never'])
    await (await post(`${shadow.url}/login.php`, { account, password: RIGHT })).text();
  await db.kysely.insertInto('player').values({ account: 'late', password_hash: TOKEN }).execute();
  expect(await shadow.end()).toMatchObject({
    routes: [{ compared: 2, differed: 1 }, { compared: 0 }],
    differences: [{ account: 'never' }],
  });
});

test('when the old service is down or cuts its answer off, then the client sees the same and the shadow keeps running', async () => {
  const url = freshSqlite(tempDir('shadow'));
  await openPlayers(url);
  const old = await startOldService((request, response) => {
    if (request.url === '/refuses') return void request.socket.destroy();
    // Answers only a whole request: whether an early answer is noticed before the disconnect below is a race.
    request.resume().once('end', () => {
      response.writeHead(200, { 'Content-Length': 100 });
      response.write('beginning', () => request.socket.destroy());
    });
  });
  const shadow = await startShadow(configOf(url), old);
  expect((await fetch(`${shadow.url}/refuses`)).status).toBe(502);
  const cut = await post(`${shadow.url}/login.php`, { account: 'ann', password: RIGHT });
  await expect(cut.text()).rejects.toThrow();
  // A client that disconnects in the middle of its body.
  const { port } = new URL(shadow.url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write('POST /login.php HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\naccount=');
  await new Promise<void>((closed) => void socket.end(closed));
  expect((await fetch(`${shadow.url}/refuses`)).status).toBe(502);
  expect(await shadow.end()).toMatchObject({ routes: [{ compared: 0 }, { compared: 0 }], unreadable: 1 });
});

test('when comparisons are slower than requests, then what does not fit into the queue is dropped and counted', async () => {
  const release = Promise.withResolvers<void>();
  const dialect = createDialect({ routes: 'login=/login', fields: '', decoder: new TextDecoder() });
  const shadow = createShadow({
    dialect,
    recheckMs: 0,
    judge: async () => {
      await release.promise;
      return 'accepted';
    },
  });
  const request = { url: '/login', type: form, body: Buffer.from('account=a&password=b') };
  const exchange = { request, answer: { status: 200, body: Buffer.from(YES) } };
  for (let sent = 0; sent < 1500; sent++) shadow.offer({ exchange, at: '' });
  const { dropped } = shadow.result();
  expect(dropped).toBe(1500 - 1016);
  release.resolve();
  await shadow.finish();
  await expect.poll(() => shadow.result().routes[0]).toMatchObject({ compared: 1016, differed: 0 });
});

test.each([
  [['--routes', 'logout=/x'], '--routes must be pairs NAME=VALUE with the names login, check'],
  [['--accepted', 'ret=0'], '--accepted must be json:FIELD=VALUE, text:TEXT or status:NUMBER'],
  [['--proxy', '1:2'], 'specify what to compare: --log FILE, or --proxy ADDRESS --to URL'],
])('when %j cannot be used, then the command says why', async (options, message) => {
  const config = configOf(freshSqlite(tempDir('shadow')));
  const { code, stderr } = await runCommand(['takeover', 'shadow', '--log', 'x', ...options], { config });
  expect(code).not.toBe(0);
  expect(stderr).toBe(`gatehouse: ${message}\n`);
});

test.each([
  ['json:ret=1', 200, '{"ret":"1"}', true],
  ['json:ret=1', 200, '{"ret":0}', false],
  ['json:ret=1', 200, 'no JSON', undefined],
  ['text:ok', 200, ' ok\n', true],
  ['text:ok', 200, 'not ok', false],
  ['status:302', 302, '', true],
  [undefined, 200, '{"code":0,"success":true}', true],
  [undefined, 200, '{"success":false}', false],
  [undefined, 401, 'anything', false],
  [undefined, 500, YES, undefined],
  [undefined, 200, '{"token":"x"}', undefined],
])('when answers are read by %s, then %i %s means %s', (accepted, status, body, expected) => {
  const dialect = createDialect({ routes: '', fields: '', accepted, decoder: new TextDecoder() });
  expect(dialect.isAccepted({ status, body: Buffer.from(body) })).toBe(expected);
});
