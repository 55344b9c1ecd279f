import { execFile } from 'node:child_process';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { freePort, tempDir } from '../../test-support/process.ts';
import { startServer } from '../../test-support/server.ts';
import { readJournal } from '../src/zone/journal.ts';
import { deduct, openZone, openZoneWithHero } from './zone-app.ts';

const entry = join(import.meta.dirname, '../src/zone/main.ts');

async function startZoneProcess(args: string[] = []) {
  const folder = tempDir('zone');
  const journal = join(folder, 'zone.jsonl');
  const [gmPort, controlPort] = [await freePort(), await freePort()];
  const control = `http://127.0.0.1:${controlPort}`;
  const ports = ['--gm-port', String(gmPort), '--control-port', String(controlPort)];
  const place = ['--server-id', '4', '--database', `sqlite:${folder}`, '--journal', journal];
  const server = await startServer({
    command: process.execPath,
    args: [entry, ...place, ...ports, ...args],
    ready: async () => (await fetch(`${control}/stats`)).ok,
  });
  onTestFinished(() => server.kill());

  const get = async (path: string) => (await fetch(`${control}${path}`)).json();
  async function post(path: string, body: unknown): Promise<unknown> {
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${control}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  }
  async function take(roleId: number, order: string): Promise<boolean> {
    const query = new URLSearchParams({
      operid: '10030',
      serverid: '4',
      roleid: String(roleId),
      amount: '1',
      order,
    });
    const response = await fetch(`http://127.0.0.1:${gmPort}/gm?${query}`);
    return ((await response.json()) as { result: number }).result === 0;
  }
  return { server, journal, gmPort, control, get, post, take };
}

test('when the process is killed repeatedly, then what it answered is in the journal and counts', async () => {
  const zone = await startZoneProcess(['--save-interval', '600']);
  const { role_id } = (await zone.post('/roles', { account: 'a', name: 'A', balance: 100_000 })) as {
    role_id: number;
  };
  const confirmed = new Set<string>();

  for (let round = 0; round < 4; round++) {
    let answered = 0;
    const player = async (name: string) => {
      for (let n = 0; ; n++) {
        const order = `${round}-${name}-${n}`;
        if (await zone.take(role_id, order)) confirmed.add(order);
        answered++;
        if (answered === 100) await zone.server.kill();
      }
    };
    await Promise.allSettled(['x', 'y', 'z'].map(player));
    await zone.server.restart();
  }

  const entries = await readJournal(zone.journal);
  const orders = entries.filter(({ deducted }) => deducted).map(({ order }) => order);
  expect(confirmed.size).toBeGreaterThanOrEqual(400);
  expect(new Set(orders).size).toBe(orders.length);
  expect([...confirmed].filter((order) => !orders.includes(order))).toEqual([]);
  expect(await zone.get('/roles')).toMatchObject({ roles: [{ role_id, balance: 100_000 - orders.length }] });
  expect(await zone.get('/journal')).toEqual({ journal: entries });
}, 180_000);

test('when the process gets faults on its command line, then it injects them and prints where it listens', async () => {
  const zone = await startZoneProcess([
    '--faults',
    '3:1:http_500_after',
    '--receipts',
    '--duplicates',
    'refuse',
  ]);
  // It listens before it prints this.
  expect(await vi.waitFor(() => JSON.parse(zone.server.output()), 40_000)).toEqual({
    server_id: 4,
    gm_url: `http://127.0.0.1:${zone.gmPort}/gm`,
    control_url: zone.control,
  });
  const { role_id } = (await zone.post('/roles', { account: 'a', name: 'A', balance: 10 })) as {
    role_id: number;
  };
  await expect(zone.take(role_id, 'w1')).rejects.toThrow();
  await zone.post('/faults', { queue: [] });
  expect(await zone.take(role_id, 'w1')).toBe(false);
  expect(await zone.get('/journal')).toMatchObject({
    journal: [
      { order: 'w1', deducted: true, fault: 'http_500_after' },
      { order: 'w1', deducted: false, refusal: 'duplicate_order' },
    ],
  });
  await zone.server.stop();
  expect(await readJournal(zone.journal)).toHaveLength(2);
});

test.each([
  ['no database', ['--server-id', '1']],
  ['a server id that is no number', ['--server-id', 'x', '--database', 'sqlite:.']],
  ['an unknown option', ['--server-id', '1', '--database', 'sqlite:.', '--colour', 'red']],
  ['an unknown fault', ['--server-id', '1', '--database', 'sqlite:.', '--faults', '1:1:explode']],
  ['a database that is away', ['--server-id', '1', '--database', 'mysql://a:b@127.0.0.1:1']],
])('when the command line has %s, then the process ends with one clear line', async (_what, args) => {
  const run = promisify(execFile)(process.execPath, [entry, ...args], { timeout: 55_000 });
  await expect(run).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/^zone: .+\n/) });
});

test('when a crash tore the last line of a journal, then the line is dropped and the journal continues', async () => {
  const journal = join(tempDir('journal'), 'zone.jsonl');
  const { zone: crashed, hero } = await openZoneWithHero({ journal });
  await deduct(crashed, { roleid: hero.id, order: 'w1' });
  const [line = ''] = (await readFile(journal, 'utf8')).split('\n').slice(-2);
  await appendFile(journal, line.replace('w1', 'torn').slice(0, -5));
  expect(await readJournal(journal)).toHaveLength(1);

  const zone = await openZone({ journal });
  expect(zone.balance(hero.id)).toBe(900);
  await deduct(zone, { roleid: hero.id, order: 'w2' });
  expect((await readJournal(journal)).map(({ order, balance }) => [order, balance])).toEqual([
    ['w1', 900],
    ['w2', 800],
  ]);
});
