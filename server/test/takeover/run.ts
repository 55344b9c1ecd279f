import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RowDataPacket } from 'mysql2/promise';
import {
  type CliResult,
  cleanEnvironment,
  runCli,
  serviceEntry,
  startGatehouse,
} from '../../../test-support/gatehouse.ts';
import { createDatabase, executeAt } from '../../../test-support/mariadb.ts';
import { startProcess } from '../../../test-support/process.ts';
import { openDatabase } from '../../src/db/open.ts';
import type { ShadowResult } from '../../src/features/shadow/shadow.ts';
import { startFront } from './front.ts';
import { createLoad } from './load.ts';
import { createTables, PASSWORD_KEY, passwords, type StartOldPlatform } from './old-platform.ts';
import { createVisit, type Event, type Journal, type Player, type Side } from './players.ts';

export interface RehearsalOptions {
  /** A MariaDB server, for both databases. */
  readonly serverUrl: string;
  readonly startOld: StartOldPlatform;
  readonly accounts: number;
  /** Logins with a right password, over all phases. */
  readonly logins: number;
  readonly clients: number;
  readonly progress?: (text: string) => void;
}

export const phases = ['old', 'shadow', 'cut-over', 'new', 'cut-back', 'old again'] as const;
export type Phase = (typeof phases)[number];

export interface RehearsalResult {
  readonly journal: Journal;
  readonly marks: readonly { readonly phase: Phase; readonly at: number }[];
  readonly facts: Readonly<Record<string, string | number>>;
  /** Each must be 0. */
  readonly violations: Readonly<Record<string, number>>;
  readonly notes: readonly string[];
}

/** The minimum share of all logins in a phase. */
const SHARES: Partial<Record<Phase, number>> = { old: 0.2, shadow: 0.2, new: 0.35, 'old again': 0.25 };
const WATCH_S = 1;
/** Longer than the phase, so that differences are compared again when the shadow ends, after the last import. */
const RECHECK_S = 3600;
const MAP = [
  'account=username,password_hash=password,email=mail,server_id=serverid,ip=regip,created_at=regtime',
  'last_login_at=lasttime,last_login_ip=lastip,login_count=logins',
].join();
/** Its password is changed in our database only, so that the shadow has a difference to find. */
const PLANTED = 'planted';

/** Replaces an old platform under load, and takes it back. */
export async function rehearse(options: RehearsalOptions): Promise<RehearsalResult> {
  const { serverUrl, startOld, accounts, logins, clients, progress = () => {} } = options;
  await using stack = new AsyncDisposableStack();
  const stopping = <T extends { stop(): Promise<unknown> }>(server: T): T => {
    stack.defer(async () => void (await server.stop()));
    return server;
  };
  const [oldUrl, newUrl] = [await createDatabase(serverUrl), await createDatabase(serverUrl)];
  await createTables(oldUrl);
  const players = await addMembers(oldUrl, accounts);
  const planted: Player = {
    account: PLANTED,
    password: 'Planted-password-1',
    address: '10.9.9.9',
    phase: '',
  };
  await executeAt(
    oldUrl,
    `INSERT INTO members (username, password) VALUES ('${PLANTED}', '${passwords.hash(planted.password)}')`,
  );
  const old = stopping(await startOld(oldUrl));
  const service = stopping(
    await startGatehouse({
      settings: {
        database: { url: newUrl },
        auth: { password_key: PASSWORD_KEY, game_token: 'legacy' },
        mail: { notices: false },
        trust_proxy: ['127.0.0.1'],
        day_max_reg: 1_000_000,
        // A few players send all the requests, the same ones again and again, and more of them the longer a phase lasts.
        login_throttle: {
          player: { limit: 1_000_000, window: 60 },
          account_address: { limit: 1_000_000, window: 60 },
          address: { limit: 1_000_000, window: 60 },
          account: { limit: 1_000_000, window: 60 },
        },
        log: { level: 'warn' },
      },
    }),
  );
  const front = stopping(await startFront({ to: old.port }));

  const journal: Journal = { events: [], failures: [], deferred: 0 };
  const marks: { phase: Phase; at: number }[] = [];
  const notes: string[] = [];
  const facts: Record<string, string | number> = {};
  const violations: Record<string, number> = {};
  const begin = (phase: Phase) => {
    marks.push({ phase, at: performance.now() });
    progress(phase);
  };
  const phase = () => marks.at(-1)?.phase ?? 'old';
  const visit = createVisit({ url: front.url, outbox: service.outbox, journal, phase });
  const load = createLoad({ visit, journal, players, clients, phase });
  const count = (wanted: Partial<Event>) =>
    journal.events.filter((event) =>
      Object.entries(wanted).every(([name, value]) => event[name as keyof Event] === value),
    ).length;
  /**
   * Waits until the phase has its share of the logins, and the service a registration and a changed password; or until a failure.
   */
  const enough = async (during: Phase, side: Side) => {
    const isEnough = () =>
      count({ kind: 'login', phase: during }) >= logins * (SHARES[during] ?? 0) &&
      count({ kind: 'register', side }) > 0 &&
      count({ kind: 'password', side }) > 0;
    while (!isEnough() && journal.failures.length === 0) await sleep(50);
  };

  const config = service.settingsFile;
  const cli = async (...args: string[]): Promise<CliResult> => {
    const done = await runCli(args, { config });
    if (done.code !== 0) throw new Error(`gatehouse ${args.join(' ')}: ${done.stderr}`);
    return done;
  };
  const importing = ['import', '--from', oldUrl, '--table', 'members', '--map', MAP, '--apply'];
  const exporting = ['export-accounts', '--to', oldUrl, '--table', 'members', '--map', MAP, '--apply'];

  /**
   * During a reload nginx briefly has workers of both configurations. Changes stay closed until the old ones are gone, so that no
   * change made here is requested there.
   */
  const moveTo = async (to: number) => {
    await front.switchTo({ to, writesClosed: true });
    await front.switchTo({ to });
  };

  begin('old');
  let over = false;
  const playing = load.run(() => over);
  await cli(...importing);
  const watching = stopping(await startCommand([...importing, '--watch', String(WATCH_S)], config, /\S/));
  await enough('old', 'old');

  const shadowArgs = ['takeover', 'shadow', '--proxy', '127.0.0.1:0', '--to', `http://127.0.0.1:${old.port}`];
  const shadow = stopping(
    await startCommand([...shadowArgs, '--recheck', String(RECHECK_S), '--json'], config, /listening/),
  );
  const shadowPort = Number(/127\.0\.0\.1:(\d+)/.exec(shadow.output())?.[1]);
  begin('shadow');
  await front.switchTo({ to: shadowPort, backup: old.port });
  const setPlanted = (password: string) => setPasswordHash(newUrl, PLANTED, passwords.hash(password));
  await setPlanted('another password');
  await visit.login(planted);
  await visit.check(planted);
  await enough('shadow', 'old');

  begin('cut-over');
  const closedAt = performance.now();
  await front.switchTo({ to: old.port, writesClosed: true });
  await watching.stop('SIGINT');
  await cli(...importing);
  await shadow.stop('SIGINT');
  const compared: ShadowResult = JSON.parse(shadow.output().slice(shadow.output().indexOf('{')));
  await setPlanted(planted.password);
  violations['accounts that differ at the cut-over'] = await countDifferences(oldUrl, newUrl);
  await moveTo(service.port);
  facts['changes were closed at the cut-over, ms'] = Math.round(performance.now() - closedAt);

  begin('new');
  await enough('new', 'new');
  over = true;
  await playing;
  await load.sweep();

  over = false;
  const playingOn = load.run(() => over);
  begin('cut-back');
  const closedAgainAt = performance.now();
  await front.switchTo({ to: service.port, writesClosed: true });
  await cli(...exporting);
  violations['accounts that differ at the cut-back'] = await countDifferences(oldUrl, newUrl);
  await moveTo(old.port);
  facts['changes were closed at the cut-back, ms'] = Math.round(performance.now() - closedAgainAt);

  begin('old again');
  await enough('old again', 'old');
  over = true;
  await playingOn;
  await load.sweep();
  await visit.login(planted);
  await cli(...importing);

  const names = [...load.players(), planted].map(({ account }) => account);
  const unplanted = compared.differences.filter(({ account }) => account !== PLANTED);
  notes.push(...unplanted.map((each) => `the shadow found ${JSON.stringify(each)}`));
  const inOld = await namesIn(oldUrl, 'SELECT username AS name FROM members');
  const inNew = await namesIn(newUrl, 'SELECT account AS name FROM player');
  Object.assign(violations, {
    'requests without a true answer': journal.failures.length,
    'accounts lost in the old table': missing(names, inOld),
    'accounts lost in Gatehouse': missing(names, inNew),
    'accounts doubled in the old table': inOld.length - new Set(inOld).size,
    'accounts doubled in Gatehouse': inNew.length - new Set(inNew).size,
    'accounts that nobody registered': missing(inOld, names) + missing(inNew, names),
    'differences that the shadow found besides the planted one': unplanted.length,
    'planted differences that the shadow did not find': 2 - (compared.differences.length - unplanted.length),
    'comparisons of the shadow that failed': compared.failed + compared.unreadable,
    'logins too few': Math.max(0, logins - count({ kind: 'login' })),
  });
  Object.assign(facts, {
    'logins with a right password': count({ kind: 'login' }),
    'registered with the old service': count({ kind: 'register', side: 'old' }),
    'registered with Gatehouse': count({ kind: 'register', side: 'new' }),
    'passwords changed with the old service': count({ kind: 'password', side: 'old' }),
    'passwords changed with Gatehouse': count({ kind: 'password', side: 'new' }),
    'changes sent again after Retry-After': journal.deferred,
    'accounts at the end': names.length,
    'answers compared by the shadow': compared.routes.reduce((sum, route) => sum + route.compared, 0),
    'comparisons dropped by the shadow': compared.dropped,
  });
  notes.push(...journal.failures.slice(0, 20));
  return { journal, marks, facts, violations, notes };
}

/** Adds accounts as an old table has them: Chinese names, hashes in capitals, no e-mail, no time of registration. */
async function addMembers(databaseUrl: string, count: number): Promise<Player[]> {
  const players = Array.from({ length: count }, (_, index) => ({
    account: index % 3 === 0 ? `玩家${index}` : `player_${index}`,
    password: `Old-password-${index}`,
    address: `10.100.${Math.floor(index / 250)}.${index % 250}`,
    phase: '',
  }));
  const rows = players.map(({ account, password, address }, index) => {
    const hash = passwords.hash(password);
    const mail = index % 7 === 0 ? 'NULL' : `'member${index}@example.com'`;
    const time = index % 11 === 0 ? 0 : 1_300_000_000 + index;
    return `('${account}', '${index % 5 === 0 ? hash.toUpperCase() : hash}', ${mail}, '${address}', ${time})`;
  });
  await executeAt(
    databaseUrl,
    `INSERT INTO members (username, password, mail, regip, regtime) VALUES ${rows.join()}`,
  );
  return players;
}

/** Starts a command that runs until a signal. */
function startCommand(args: readonly string[], config: string, ready: RegExp) {
  return startProcess({
    command: process.execPath,
    args: [serviceEntry(), ...args, '--config', config],
    env: cleanEnvironment(),
    cwd: dirname(config),
    ready: (output) => ready.test(output),
  });
}

/** Counts accounts whose name or password is not the same in both tables. */
async function countDifferences(oldUrl: string, newUrl: string): Promise<number> {
  const inOld = await namesIn(oldUrl, "SELECT CONCAT(username, ' ', LOWER(password)) AS name FROM members");
  const inNew = await namesIn(
    newUrl,
    "SELECT CONCAT(account, ' ', LOWER(password_hash)) AS name FROM player",
  );
  return missing(inOld, inNew) + missing(inNew, inOld);
}

/** Sets it in a transaction that is repeated after a deadlock: the import writes the same rows. */
async function setPasswordHash(databaseUrl: string, accountKey: string, hash: string): Promise<void> {
  const db = await openDatabase(databaseUrl);
  try {
    await db.transaction((trx) =>
      trx.updateTable('player').set({ password_hash: hash }).where('account_key', '=', accountKey).execute(),
    );
  } finally {
    await db.close();
  }
}

async function namesIn(databaseUrl: string, query: string): Promise<string[]> {
  return ((await executeAt(databaseUrl, query)) as RowDataPacket[]).map(({ name }) => name);
}

function missing(wanted: readonly string[], available: readonly string[]): number {
  const known = new Set(available);
  return wanted.filter((name) => !known.has(name)).length;
}
