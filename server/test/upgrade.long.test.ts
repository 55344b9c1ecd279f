import { startZone } from '@gatehouse/simulators/zone';
import { expect, onTestFinished, test } from 'vitest';
import { type Gatehouse, runCli, startGatehouse } from '../../test-support/gatehouse.ts';
import { waitForOutboxMail } from '../../test-support/mail.ts';
import { createDatabase, executeAt } from '../../test-support/mariadb.ts';
import { startNginx } from '../../test-support/nginx.ts';
import { siteConfiguration } from '../../test-support/nginx-site.ts';
import { checkOut, previousVersion } from '../../test-support/previous-version.ts';
import { freePort, tempDir } from '../../test-support/process.ts';
import { sharedMariadbUrl, sharedRedisUrl } from '../../test-support/shared-servers.ts';
import { pendingMigrations } from '../src/db/migrate.ts';
import { openDatabase } from '../src/db/open.ts';
import { createPasswords } from '../src/security/passwords.ts';
import { judge } from './money/judge.ts';
import { historyOf, settledRecordsOf } from './money/records.ts';
import type { Client, Reply, RequestOptions } from './support/client.ts';
import { type Journal, loadSettings, markOf, startWriters } from './support/load-with-journal.ts';

const commit = previousVersion();
/** Old lines of chat, so that the migration takes seconds while the other instance serves. */
const LINES = Number(process.env.UPGRADE_LINES ?? 50_000);

/** Sends requests without comparing the answers with the contract, because the previous version has another one. */
function plainClient(url: string): Pick<Client, 'post'> & { sent(): number } {
  let sent = 0;
  return {
    sent: () => sent,
    async post(path: string, body: unknown, { token, headers }: RequestOptions = {}): Promise<Reply> {
      const answer = await fetch(url + path, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...headers,
        },
        body: JSON.stringify(body ?? {}),
      });
      const text = await answer.text();
      sent += 1;
      return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text) };
    },
  };
}

/** Calls what game servers and visitors call, until it is stopped. Returns how many lines of chat were acknowledged. */
function startReaders(client: Pick<Client, 'post'>, url: string) {
  let isReading = true;
  let lines = 0;
  async function expectOk(answer: Promise<{ status: number }>): Promise<void> {
    const { status } = await answer;
    if (status !== 200) throw new Error(`answered ${status}`);
  }
  const account = 'veteran';
  const password = 'a password of hers';
  const reading = (async () => {
    while (isReading) {
      const { status, body } = await client.post('/api/login', { account, password });
      if (status !== 200) throw new Error(`login answered ${status}`);
      await expectOk(client.post('/api/check', { account, token: body.token }));
      await expectOk(fetch(`${url}/api/server/list`));
      const chat = { server_id: 1, account, role: 'Old Hand', channel: 'world', content: `line ${lines}` };
      await expectOk(client.post('/api/report/chat', chat));
      lines += 1;
    }
    return lines;
  })();
  reading.catch(() => {});
  return {
    stop(): Promise<number> {
      isReading = false;
      return reading;
    },
  };
}

test.skipIf(commit === undefined)(
  'when two instances are upgraded from the previous version and rolled back under load, then no request fails and nothing is lost',
  { timeout: 300_000 },
  async () => {
    const previous = checkOut(commit as string);
    const url = await createDatabase(sharedMariadbUrl());
    const zones = `sqlite:${tempDir('zones')}`;
    const outbox = tempDir('outbox');
    const zone = await startZone({ serverId: 1, database: zones, receipts: true });
    const ports = await Promise.all([freePort(), freePort()]);
    onTestFinished(zone.stop);
    const settings = {
      ...loadSettings(url, zones),
      redis: { url: sharedRedisUrl() },
      mail: { url: `outbox:${outbox}` },
      // Longer than a busy machine takes: this does not test the game.
      gm: { timeout: 10, receipt_operation: 10031, receipt_after: 1 },
      // nginx is the only client.
      code_throttle: { address: { limit: 100_000, window: 60 } },
      chat: { limit: 1_000_000 },
    };
    // The previous version refuses settings that it does not know.
    const added = { login_throttle: { player: { limit: 1_000_000, window: 60 } } };
    const running: Gatehouse[] = [];
    onTestFinished(async () => void (await Promise.all(running.map((each) => each.kill()))));
    const start = async (index: number, checkout?: string) => {
      const own = { ...settings, port: ports[index], ...(checkout === undefined && added) };
      running[index] = await startGatehouse({ settings: own, ...(checkout && { checkout }) });
    };
    const replace = async (index: number, checkout?: string) => {
      await running[index]?.stop();
      const began = performance.now();
      await start(index, checkout);
      return Math.round(performance.now() - began);
    };

    await Promise.all([start(0, previous), start(1, previous)]);
    const config = running[0]?.settingsFile as string;
    const add = ['zone', 'add', '1', '--name', 'One', '--address', '127.0.0.1', '--port', '7001'];
    expect(await runCli([...add, '--gm-url', zone.gmUrl], { config, checkout: previous })).toMatchObject({
      code: 0,
    });
    const db = await openDatabase(url);
    onTestFinished(() => db.close());
    const { hash } = createPasswords('old-generation-key');
    await db.kysely
      .insertInto('player')
      .values({ account: 'veteran', password_hash: hash('a password of hers') })
      .execute();
    await executeAt(
      url,
      `INSERT INTO chat (server_id, account, role, channel, content, unindexed) SELECT 1, CONCAT('player', seq % 1000),
         CONCAT('Hero ', seq % 1000), 'world', CONCAT('old line ', seq), 0 FROM seq_1_to_${LINES}`,
    );
    const old = await pendingMigrations(db);
    expect(old.length).toBeGreaterThan(0);
    const zonesAt = async (port: number) => {
      const { servers } = (await (await fetch(`http://127.0.0.1:${port}/api/server/list`)).json()) as {
        servers: object[];
      };
      return servers.length;
    };
    for (const port of ports) await expect.poll(() => zonesAt(port), { timeout: 20_000 }).toBe(1);

    const listen = await freePort();
    const site = `http://127.0.0.1:${listen}`;
    const conf = siteConfiguration({
      listen: [`127.0.0.1:${listen}`],
      backends: ports,
      root: tempDir('site'),
      gameServers: ['127.0.0.1'],
    });
    const nginx = await startNginx({ conf });
    onTestFinished(() => nginx.stop());
    const client = plainClient(site);
    const mailTo = (email: string) => waitForOutboxMail(outbox, email);
    const { journal, until, stopWriting } = startWriters({ zone, clientOf: () => client, mailTo });
    const readers = startReaders(client, site);
    const more = (by: number) => {
      const before = { players: journal.players.length, done: journal.done.length };
      return until(
        ({ players, done }: Journal) =>
          players.length >= before.players + by && done.length >= before.done + by,
      );
    };

    await more(5);
    // An instance that starts while the migration runs waits for it.
    const [migrated, firstMs] = await Promise.all([runCli(['migrate'], { config }), replace(0)]);
    expect(migrated).toMatchObject({ code: 0, stderr: '' });
    expect(await pendingMigrations(db)).toEqual([]);
    // Both versions serve, then only the new one.
    await more(5);
    const secondMs = await replace(1);
    await more(5);
    for (const index of [0, 1]) {
      await replace(index, previous);
      await more(5);
    }
    await stopWriting();
    const lines = await readers.stop();

    const mark = markOf(journal);
    const players = await db.kysely.selectFrom('player').select(['account', 'password_hash']).execute();
    const hashes = new Map(players.map((each) => [each.account, each.password_hash]));
    const wrong = mark.players.filter(
      (account) => hashes.get(account) !== hash(mark.passwordsOf(account)[0] ?? ''),
    );
    expect(wrong).toEqual([]);
    const chat = await db.kysely.selectFrom('chat').select('content').execute();
    expect(new Set(chat.map(({ content }) => content)).size).toBe(LINES + lines);
    const violations = judge({
      records: await settledRecordsOf(db),
      journal: zone.journal(),
      replies: [],
      accepted: new Set(journal.done),
      balances: zone.roles().map(({ balance }) => balance),
      history: await historyOf(db),
    });
    expect(Object.entries(violations).filter(([, count]) => count !== 0)).toEqual([]);
    const failed = nginx
      .logs()
      .split('\n')
      .filter((line) => /" (5\d\d|429) /.test(line));
    expect(failed).toEqual([]);
    console.log(
      `${commit?.slice(0, 8)} and back: ${client.sent()} requests, ${mark.players.length} players, ${mark.done.length} withdrawals, ${lines} lines of chat; ${old.length} migrations; started within ${firstMs} and ${secondMs} ms`,
    );
  },
);
