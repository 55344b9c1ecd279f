import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Fault, startZone, type ZoneOptions } from '@gatehouse/simulators/zone';
import { expect, onTestFinished, test } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { runCli } from '../../test-support/gatehouse.ts';
import { tempDir } from '../../test-support/process.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import type { GameTest } from '../src/features/conformance/admin/game-lines.ts';
import { openConformance } from '../src/features/conformance/admin/module.ts';
import type { Line } from '../src/features/conformance/line.ts';
import { reportPage } from '../src/features/conformance/report.ts';
import { ownService } from '../src/integrations/own-service.ts';
import { parseSettings } from '../src/settings/load.ts';
import { migratedAt } from './db/opened.ts';
import { configOf } from './support/cli-config.ts';
import { startWithdrawApp, type WithdrawApp } from './support/withdraw-app.ts';

const KEY = 'a key that the game knows too';
const CALLBACK_KEY = 'a key for the callbacks of games';
const good: Partial<ZoneOptions> = { receipts: true, duplicates: 'same_answer', gmKey: KEY };
const auth = { password_key: 'k', jwt_secret: 'j'.repeat(40), game_token: 'ticket' };
const gm = { receipt_operation: 10031, key: KEY, timeout: 60 };
const settings = { auth, gm, game_servers: { key: CALLBACK_KEY } };

const failed = (lines: readonly Line[]) =>
  lines.filter(({ result }) => result === 'failed').map(({ check, reason }) => [check, reason]);
const skipped = (lines: readonly Line[]) =>
  lines.filter(({ result }) => result === 'skipped').map(({ check }) => check);

const everything = { role: 'Hero', amount: 10, full: true };

/** Starts a game of this kind and runs the conformance test against it, without a service. */
async function startGame(options: Partial<ZoneOptions>, given: Record<string, object> = {}) {
  const games = `sqlite:${tempDir('games')}`;
  const zone = await startZone({ ...good, ...options, serverId: 1, database: games });
  onTestFinished(() => zone.stop());
  const hero = await zone.addRole({ account: 'alice', name: 'Hero', balance: 1000 });
  const url = freshSqlite();
  const db = await migratedAt(url);
  const row = { server_id: 1, name: 'One', address: '127.0.0.1', port: 7000, gm_url: zone.gmUrl };
  await db.kysely.insertInto('server').values(row).execute();
  const parsed = parseSettings({
    ...settings,
    ...given,
    gm: { ...gm, ...given.gm },
    zones: { database_url: games, ...given.zones },
    database: { url },
  });
  async function run(test: GameTest = everything, clock?: () => number): Promise<readonly Line[]> {
    const conformance = openConformance({ db, settings: parsed, ...(clock && { clock }) });
    const found = await conformance({ ...test, serverId: 1, service: undefined, isExpected: false });
    return found?.lines ?? expect.fail('no zone');
  }
  return { zone, hero, db, run };
}

/** The deductions of a run, in order; `at` injects a fault into one. */
const ORDER = ['unknown role', 'deduction', 'same order', 'too much'] as const;
const at = (check: (typeof ORDER)[number], fault: Fault): Fault[] =>
  ORDER.map((each) => (each === check ? fault : 'ok'));

test('when the game is right, then every line passes, and exactly the amount was taken', async () => {
  for (const duplicates of ['same_answer', 'refuse'] as const) {
    const { zone, hero, run } = await startGame({ duplicates });
    const lines = await run();
    expect(failed(lines)).toEqual([]);
    expect(lines.filter(({ area, result }) => area === 'game' && result === 'skipped')).toEqual([]);
    expect(zone.balance(hero.id)).toBe(990);
    expect(zone.deductions()).toHaveLength(1);
  }
});

const answerFaults: [Fault, string][] = [
  ['drop_before', 'gm.cut'],
  ['drop_after', 'gm.cut'],
  ['garbage_before', 'gm.unreadable'],
  ['garbage_after', 'gm.unreadable'],
  ['http_500_before', 'gm.http_error'],
  ['http_500_after', 'gm.http_error'],
  ['half_answer', 'gm.cut'],
  ['twice', 'gm.unreadable'],
  ['redirect', 'gm.redirect'],
  ['huge', 'gm.too_long'],
];

test.each(answerFaults)(
  'when the game answers a deduction with %s, then only that line fails, and nothing more is sent',
  async (fault, reason) => {
    const { zone, run } = await startGame({ faults: at('deduction', fault) });
    const lines = await run();
    expect(failed(lines)).toEqual([['deduction', reason]]);
    expect(skipped(lines)).toEqual(expect.arrayContaining(['balance', 'same order', 'too much']));
    expect(zone.requests.filter(({ params }) => params.operid === '10030')).toHaveLength(2);
  },
);

test.each(ORDER)('when the game answers “%s” wrongly, then only that line fails', async (check) => {
  const { run } = await startGame({ faults: at(check, 'http_500_after') });
  expect(failed(await run())).toEqual([[check, 'gm.http_error']]);
});

test.each([
  ['refuse', { faults: at('deduction', 'refuse') }, 'deduction', 'deduction.refused'],
  ['not_enough', { faults: at('deduction', 'not_enough') }, 'deduction', 'deduction.refused'],
  ['deduct_again', { duplicates: 'deduct_again' }, 'same order', 'same.twice'],
  ['no signature', { gmKey: undefined }, 'GM signature', 'sign.ignored'],
  ['another key', { gmKey: 'another' }, 'GM interface', 'gm.receipt_unreadable'],
  ['no receipts', { receipts: false }, 'GM interface', 'gm.receipt_unreadable'],
] as const)(
  'when the game has the fault “%s”, then only its line fails',
  async (_, options, check, reason) => {
    const { run } = await startGame(options as Partial<ZoneOptions>);
    expect(failed(await run())).toEqual([[check, reason]]);
  },
);

test('when the receipt of the deduction fails, then only that line fails', async () => {
  let receipts = 0;
  // The third receipt, after that of an unknown order and a wrongly signed one.
  const { run } = await startGame({
    faults: ({ operid }) => (operid === '10031' && ++receipts === 3 ? 'http_500_before' : 'ok'),
  });
  expect(failed(await run())).toEqual([['receipt', 'gm.http_error']]);
});

test('when an answer never comes or comes byte by byte, then its line fails', async () => {
  const faults = ['timeout_before', 'timeout_after', 'drip'] as const;
  const games = await Promise.all(
    faults.map((fault) => startGame({ faults: at('deduction', fault) }, { gm: { timeout: 5 } })),
  );
  // With a stopped clock, no other answer is slow.
  for (const lines of await Promise.all(games.map(({ run }) => run(everything, () => 0))))
    expect(failed(lines)).toEqual([['deduction', 'gm.no_answer']]);
});

test('when an answer is slow but in time, then only the line for that fails', async () => {
  let now = 0;
  const { zone, run } = await startGame({ faults: at('deduction', 'hold') });
  const running = run(everything, () => now);
  await expect.poll(() => zone.requests.map(({ fault }) => fault)).toContain('hold');
  now = 30_001;
  zone.release();
  const lines = await running;
  expect(failed(lines)).toEqual([['answer time', 'time.slow']]);
  expect(skipped(lines).filter((check) => check === 'too much')).toEqual([]);
});

test('when a response arrives twice on the wire, then nothing fails: each command has its own connection', async () => {
  const { zone, hero, run } = await startGame({ faults: at('deduction', 'twice_on_wire') });
  expect(failed(await run())).toEqual([]);
  expect(zone.balance(hero.id)).toBe(990);
});

test('when no role and amount are given, or no --full, then no command is sent that could take more', async () => {
  const { zone, hero, run } = await startGame({ duplicates: 'deduct_again' });
  for (const given of [{}, { role: 'Hero' }]) expect(failed(await run(given))).toEqual([]);
  expect(zone.requests.filter(({ params }) => params.operid === '10030')).toEqual([]);
  const lines = await run({ role: 'Hero', amount: 10 });
  expect(failed(lines)).toEqual([]);
  expect(skipped(lines)).toEqual(expect.arrayContaining(['same order', 'too much']));
  expect(zone.balance(hero.id)).toBe(990);
});

test('when the set-up is wrong, then its line says how to fix it', async () => {
  const { db, run } = await startGame({});
  const change = (fields: object) => db.kysely.updateTable('server').set(fields).execute();
  await change({ address: 'game.invalid' });
  expect(failed(await run({}))).toEqual([['caller address', 'caller.unlisted']]);
  await change({ address: '127.0.0.1', merged_into: 2 });
  expect(failed(await run({}))).toEqual([['zone', 'zone.merged']]);
  await change({ merged_into: null, gm_url: null });
  expect(failed(await run())).toEqual([['GM interface', 'gm.no_url']]);
  await change({ gm_url: 'http://127.0.0.1:1/gm' });
  expect(failed(await run())).toEqual([['GM interface', 'gm.not_sent']]);
  expect(failed(await run({ role: 'Nobody' }))[0]).toEqual(['role', 'role.missing']);
});

async function startWithPlayer(url: string, given: Record<string, unknown>): Promise<WithdrawApp> {
  const app = await startWithdrawApp(url, { settings: given, serverIds: [1, 2], zone: good });
  await app.player('alice');
  await app.zone.addRole({ account: 'alice', name: 'Hero', balance: 1000 });
  return app;
}

function askService(app: WithdrawApp, account = 'alice', url = app.url): Promise<readonly Line[]> {
  const run = openConformance({ db: app.db, settings: parseSettings(app.settings) });
  const service = ownService(url);
  return run({ serverId: 1, account, service, isExpected: true }).then((found) => found?.lines ?? []);
}

describeByTier('a conformance run', (engine) => {
  test('when everything is right, then every line passes, on the page too', async () => {
    const app = await startWithPlayer(await engine.freshUrl(), settings);
    const report = join(tempDir('report'), 'zone.html');
    const { database: _, ...given } = app.settings as { database: object };
    const args = ['--account', 'Alice', '--role', 'Hero', '--amount', '10', '--full', '--url', app.url];
    const { code, stdout, stderr } = await runCli(
      ['zone', 'test', '1', ...args, '--report', report, '--language', 'en', '--json'],
      { config: configOf(app.databaseUrl, given) },
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const rows = JSON.parse(stdout) as { check: string; result: string }[];
    expect(rows.filter(({ result }) => result !== 'ok')).toEqual([]);
    expect(rows).toHaveLength(23);
    expect(app.zone.balance(app.zone.roles()[0]?.id ?? 0)).toBe(990);
    const page = readFileSync(report, 'utf8');
    expect(page).toContain('<html lang="en">');
    expect(page).toContain('PASSED');
    expect(page).not.toMatch(/<script|https?:\/\/(?!127\.0\.0\.1)|src=/);
    for (const secret of [KEY, CALLBACK_KEY, auth.jwt_secret]) expect(page).not.toContain(secret);
  });

  test.each([
    ['jwt', undefined, []],
    ['ticket', 'observe', ['unsigned callback']],
  ] as const)(
    'when game tokens are %s and signatures %s, then the lines match',
    async (game_token, signature, red) => {
      const game_servers = signature ? { key: CALLBACK_KEY, signature } : {};
      const app = await startWithPlayer(await engine.freshUrl(), {
        ...settings,
        auth: { ...auth, game_token },
        game_servers,
      });
      const lines = await askService(app);
      expect(failed(lines).map(([check]) => check)).toEqual(red);
      const ofTickets = ['repeated ticket', 'used ticket', 'foreign ticket'];
      expect(skipped(lines).filter((check) => ofTickets.includes(check))).toEqual(
        game_token === 'jwt' ? ofTickets : [],
      );
      if (signature) return;
      // The md5 token of an old client, which this service also accepts.
      await app.db.kysely
        .updateTable('player')
        .set({ password_hash: '0'.repeat(31).concat('f') })
        .execute();
      const old = { ...app, settings: { ...app.settings, auth: { ...auth, game_token: 'legacy' } } };
      const ofOld = await askService(old);
      expect(failed(ofOld)).toEqual([]);
      expect(ofOld.find(({ check }) => check === 'right token')).toMatchObject({
        result: 'ok',
        params: { format: 'legacy' },
      });
      expect(failed(await askService(app, 'nobody'))).toEqual([['right token', 'entry.unknown_account']]);
      await app.db.kysely.updateTable('player').set({ status: 'banned' }).execute();
      expect(failed(await askService(app))).toEqual([['right token', 'entry.right_refused']]);
      expect(failed(await askService(app, 'alice', 'http://127.0.0.1:1'))).toEqual([
        ['service', 'service.away'],
      ]);
    },
  );
});

test('when something must be fixed, then the page says what, in both languages, and escapes the game’s texts', async () => {
  const { zone, run } = await startGame({ faults: at('deduction', 'garbage_after') });
  await zone.addRole({ account: 'eve', name: '<b>Eve</b>', balance: 5 });
  const lines = await run({ role: '<b>Eve</b>', amount: 1 });
  const page = (language: 'zh' | 'en') =>
    reportPage({
      zone: { serverId: 1, name: '<i>One</i>' },
      lines,
      language,
      version: '1',
      time: 'now',
      again: 'x',
    });
  expect(page('zh')).toContain('处理办法');
  expect(page('en')).toContain('Answer with exactly one JSON object');
  for (const text of [page('zh'), page('en')]) {
    expect(text).not.toMatch(/<b>Eve|<i>One|<html><head>/);
    expect(text).not.toMatch(/\{\w+\}/);
  }
});
