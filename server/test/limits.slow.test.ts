import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Gatehouse, startGatehouse } from '../../test-support/gatehouse.ts';
import { type Mariadb, startMariadb } from '../../test-support/mariadb.ts';
import { tempDir } from '../../test-support/process.ts';
import { createMovableClock, findFaketimeLibrary } from '../../test-support/shifted-clock.ts';
import { openDatabase } from '../src/db/open.ts';
import {
  codeFor,
  emailOf,
  linesIn,
  logIn,
  post,
  register,
  report,
  reportUntilRefused,
  unlimitedChat,
} from './support/acknowledged.ts';
import { isRoot, smallDisk } from './support/small-disk.ts';

/** Takes all the space that is left. Returns a function that gives it back. */
function fill(folder: string): () => void {
  const file = join(folder, 'filler');
  try {
    execFileSync('dd', ['if=/dev/zero', `of=${file}`, 'bs=4k'], { stdio: 'ignore' });
  } catch {
    // It ends when the disk is full.
  }
  return () => rmSync(file);
}

describe.skipIf(!isRoot)('a full disk', () => {
  test('when the disk of SQLite is full, then writes are refused, reads work, and it recovers without a restart', {
    timeout: 120_000,
  }, async () => {
    const folder = smallDisk(24);
    const url = `sqlite:${join(folder, 'gatehouse.db')}`;
    const service = await startGatehouse({ settings: { database: { url }, ...unlimitedChat } });
    onTestFinished(() => service.kill());
    const first = await report(service.url);
    expect(first.status).toBe(200);
    const giveBack = fill(folder);
    const { acknowledged, refusal } = await reportUntilRefused(service.url);
    expect(refusal).toEqual({ status: 503, code: 'unavailable' });
    expect((await fetch(`${service.url}/api/server/list`)).status).toBe(200);
    expect((await fetch(`${service.url}/api/health/ready`)).status).toBe(503);
    giveBack();
    await expect.poll(async () => (await report(service.url)).status, { timeout: 30_000 }).toBe(200);
    await expect
      .poll(async () => (await fetch(`${service.url}/api/health/ready`)).status, { timeout: 30_000 })
      .toBe(200);
    await service.kill();
    expect(await linesIn(url)).toEqual(expect.arrayContaining([...first.lines, ...acknowledged]));
  });

  test('when the disk of MariaDB is full, then writes are refused, and the service recovers without a restart', {
    timeout: 240_000,
  }, async () => {
    const folder = smallDisk(256);
    const server = await startMariadb({ dataDir: join(folder, 'data') });
    onTestFinished(() => server.kill());
    const url = await server.createDatabase('full');
    const service = await startGatehouse({ settings: { database: { url }, ...unlimitedChat } });
    onTestFinished(() => service.kill());
    const first = await report(service.url);
    expect(first.status).toBe(200);
    const giveBack = fill(folder);
    const { acknowledged, refusal } = await reportUntilRefused(service.url);
    expect(refusal).toEqual({ status: 503, code: 'unavailable' });
    expect((await fetch(`${service.url}/api/server/list`)).status).toBe(200);
    giveBack();
    await expect
      .poll(
        async () => {
          // MariaDB 10.11 was seen to abort on a full disk, also some time later; its service file restarts it.
          if (!server.isRunning) await server.restart();
          return (await report(service.url)).status;
        },
        { timeout: 60_000 },
      )
      .toBe(200);
    await server.kill();
    await server.restart();
    expect(await linesIn(url)).toEqual(expect.arrayContaining([...first.lines, ...acknowledged]));
  });

  test('when the disk of the mail folder is full, then codes are refused, all else works, and it recovers without a restart', {
    timeout: 120_000,
  }, async () => {
    const folder = smallDisk(1);
    const outbox = join(folder, 'outbox');
    const settings = { ...unlimitedChat, mail: { url: `outbox:${outbox}` } };
    const service = await startGatehouse({ settings });
    onTestFinished(() => service.kill());
    const accounts = { url: service.url, outbox };
    expect((await register(accounts, 'before')).status).toBe(201);
    const code = await codeFor(accounts, 'during');
    const mails = readdirSync(outbox);
    const giveBack = fill(folder);
    for (let round = 0; round < 3; round++) {
      const refusal = await post(service.url, '/api/send_code', { email: emailOf('after') });
      expect(refusal).toMatchObject({ status: 503, body: { code: 'mail_unavailable' } });
    }
    // Nothing half-written is left, which would keep the disk full.
    expect(readdirSync(outbox)).toEqual(mails);
    expect((await register(accounts, 'during', code)).status).toBe(201);
    expect((await logIn(accounts, 'before')).status).toBe(200);
    expect((await report(service.url)).status).toBe(200);
    giveBack();
    expect((await register(accounts, 'after')).status).toBe(201);
    expect(service.isRunning).toBe(true);
    await service.kill();
    await service.restart();
    for (const account of ['before', 'during', 'after'])
      expect((await logIn(accounts, account)).status).toBe(200);
  });

  test('when the disk of the log is full, then requests are answered, and later lines are written without a restart', {
    timeout: 120_000,
  }, async () => {
    const folder = smallDisk(1);
    const file = join(folder, 'service.log');
    const service = await startGatehouse({ settings: { ...unlimitedChat, log: { file } } });
    onTestFinished(() => service.kill());
    expect((await register(service, 'before')).status).toBe(201);
    const logged = () => readFileSync(file, 'utf8').trimEnd().split('\n');
    await expect.poll(() => logged().filter((line) => line.includes('/api/register'))).toHaveLength(1);
    const giveBack = fill(folder);
    const acknowledged: string[] = [];
    await expect
      .poll(async () => {
        const { lines, status } = await report(service.url);
        if (status === 200) acknowledged.push(...lines);
        return [status, service.output().includes('log lines are lost, ENOSPC')];
      })
      .toEqual([200, true]);
    expect((await register(service, 'during')).status).toBe(201);
    giveBack();
    await expect
      .poll(async () => {
        await fetch(`${service.url}/api/config`);
        return logged().filter((line) => line.includes('/api/config')).length;
      })
      .toBeGreaterThan(0);
    expect(service.output().match(/log lines are lost/g)).toHaveLength(1);
    // The line that the full disk cut is alone: no later line was joined to it.
    expect(logged().filter((line) => line.lastIndexOf('{"level"') > 0)).toEqual([]);
    await service.kill();
    await service.restart();
    expect((await logIn(service, 'during')).status).toBe(200);
    const { url } = service.settings.database as { url: string };
    expect(await linesIn(url)).toEqual(expect.arrayContaining(acknowledged));
  });
});

/** Writes a program that runs Node with this many file handles. */
function nodeWithHandles(count: number): string {
  const file = join(tempDir('handles'), 'node');
  writeFileSync(file, `#!/bin/sh\nulimit -n ${count}\nexec ${process.execPath} "$@"\n`, { mode: 0o755 });
  return file;
}

test('when there are no file handles left, then open connections are answered, and it recovers without a restart', {
  timeout: 120_000,
}, async () => {
  const service = await startGatehouse({ node: nodeWithHandles(80), settings: unlimitedChat });
  onTestFinished(() => service.kill());
  const idle: Socket[] = [];
  onTestFinished(() => {
    for (const socket of idle) socket.destroy();
  });
  for (let count = 0; count < 120; count++)
    idle.push(connect(service.port, '127.0.0.1').on('error', () => {}));
  await expect
    .poll(
      () =>
        fetch(`${service.url}/api/server/list`, { signal: AbortSignal.timeout(500) }).then(
          ({ status }) => status,
          () => 'no answer',
        ),
      { timeout: 20_000 },
    )
    .toBe('no answer');
  for (const socket of idle) socket.destroy();
  await expect
    .poll(
      () =>
        fetch(`${service.url}/api/server/list`, { signal: AbortSignal.timeout(2000) }).then(
          ({ status }) => status,
          () => 'no answer',
        ),
      { timeout: 60_000 },
    )
    .toBe(200);
  expect((await report(service.url)).status).toBe(200);
  expect(service.isRunning).toBe(true);
});

const errorsIn = (service: Gatehouse) =>
  service.logs().filter(({ level }) => level === 'error' || level === 'fatal');

describe.skipIf(findFaketimeLibrary() === undefined)('a clock that jumps', () => {
  test.each([
    ['ahead', 3_600_000],
    ['back', -3_600_000],
  ])(
    'when it jumps an hour %s, then players stay logged in and new codes are valid',
    { timeout: 120_000 },
    async (_way, jumpMs) => {
      const clock = createMovableClock();
      const service = await startGatehouse({ settings: unlimitedChat, env: clock.env });
      onTestFinished(() => service.kill());
      const before = await register(service, 'before');
      expect(before.status).toBe(201);
      expect((await report(service.url)).status).toBe(200);
      clock.set(jumpMs);
      expect((await logIn(service, 'before')).status).toBe(200);
      const after = await register(service, 'after');
      expect(after.status).toBe(201);
      const check = { account: 'after', token: after.body.token };
      expect((await post(service.url, '/api/check', check)).body).toMatchObject({ valid: true });
      // The token of before: a clock set back must not make it one of the future that is refused.
      const earlier = { account: 'before', token: before.body.token };
      expect((await post(service.url, '/api/check', earlier)).body).toMatchObject({ valid: true });
      expect((await report(service.url)).status).toBe(200);
      expect(errorsIn(service)).toEqual([]);
    },
  );
});

/** Waits until the clock of the service differs from the real time by this much. */
async function waitForDrift({ url }: Gatehouse, ms: number): Promise<void> {
  const drift = async () => {
    const { headers } = await fetch(`${url}/api/config`);
    return Math.abs(Date.parse(headers.get('date') ?? '') - Date.now());
  };
  await expect.poll(drift).toBeGreaterThan(ms);
}

describe.skipIf(findFaketimeLibrary() === undefined)('a clock that drifts', () => {
  let server: Mariadb;

  beforeAll(async () => {
    server = await startMariadb();
  });

  afterAll(() => server?.kill());

  test.each([
    // Codes are valid for 60 s, which have passed on the clock of the service.
    ['fast', 'x20', 90_000],
    ['slow', 'x0.05', 3000],
  ])(
    'when it runs too %s, then codes, tokens and openings of zones follow the clock of the database',
    { timeout: 120_000 },
    async (way, rate, drift) => {
      const url = await server.createDatabase(way);
      const service = await startGatehouse({
        settings: { database: { url }, ...unlimitedChat },
        env: {
          LD_PRELOAD: findFaketimeLibrary(),
          FAKETIME: `+0 ${rate}`,
          FAKETIME_DONT_FAKE_MONOTONIC: '1',
          NO_FAKE_STAT: '1',
        },
      });
      onTestFinished(() => service.kill());
      const { kysely, close } = await openDatabase(url);
      onTestFinished(() => close());
      const before = await register(service, 'before');
      expect(before.status).toBe(201);

      // The database has the clock of this process.
      const asked = Date.now();
      const code = await codeFor(service, 'after');
      const { expires_at } = await kysely
        .selectFrom('verify')
        .select('expires_at')
        .where('email', '=', emailOf('after'))
        .executeTakeFirstOrThrow();
      expect(expires_at).toBeGreaterThanOrEqual(asked + 60_000);
      expect(expires_at).toBeLessThanOrEqual(Date.now() + 60_000);
      await waitForDrift(service, drift);
      expect((await register(service, 'after', code)).status).toBe(201);
      const check = { account: 'before', token: before.body.token };
      expect((await post(service.url, '/api/check', check)).body).toMatchObject({ valid: true });

      const opened_at = Date.now() + 4000;
      const zone = { server_id: 1, name: 'One', address: '127.0.0.1', port: 7000, opened_at };
      await kysely.insertInto('server').values(zone).execute();
      const seen = new Set<string>();
      await expect
        .poll(async () => {
          const listed = await (await fetch(`${service.url}/api/server/list`)).json();
          const { servers } = listed as { servers: { status: string }[] };
          const isDue = Date.now() >= opened_at;
          for (const { status } of servers) seen.add(`${status}${isDue ? '' : ' early'}`);
          return [...seen];
        })
        .toContain('open');
      expect(seen).not.toContain('open early');
      expect((await report(service.url)).status).toBe(200);
      expect(errorsIn(service)).toEqual([]);
    },
  );
});
