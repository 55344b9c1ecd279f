import { writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { stringify } from 'smol-toml';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../../test-support/mariadb.ts';
import { freePort, startProcess, tempDir } from '../../test-support/process.ts';
import { sharedMariadbUrl } from '../../test-support/shared-servers.ts';
import { enqueueEvent } from '../src/db/outbox.ts';
import { openWebhookAdmin } from '../src/features/webhooks/admin/module.ts';
import { deliveryFailpoints } from '../src/features/webhooks/deliver.ts';
import { parseSettings } from '../src/settings/load.ts';
import { migratedAt } from './db/opened.ts';
import { INSTANCE_AUTH } from './support/instances.ts';

const EVENTS = 10_000;
const DEAD_EVENTS = 200;
/** How often a failpoint is passed before the process dies there; claims are batches. */
const PASSED = { claimed: 15, answered: 120, finished: 120 } as const;
const MINUTE_MS = 60_000;

/** Answers 500 to some first tries, does not answer others, and is down for a while after some events. */
async function startUnreliableReceiver() {
  const accepted = new Map<string, number>();
  const tried = new Set<string>();
  const forged: string[] = [];
  let secret = '';
  let wasDown = false;
  const server = createServer(async (request, response: ServerResponse) => {
    const body = await text(request);
    const id = String(request.headers['webhook-id']);
    const isFirst = !tried.has(id);
    tried.add(id);
    try {
      new Webhook(secret).verify(body, request.headers as Record<string, string>);
    } catch {
      forged.push(id);
    }
    if (isFirst && tried.size % 1500 === 0) return; // times out
    if (isFirst && tried.size % 40 === 0) return response.writeHead(500).end('not now');
    accepted.set(id, (accepted.get(id) ?? 0) + 1);
    response.writeHead(204).end();
    if (wasDown || accepted.size < EVENTS / 10) return;
    wasDown = true;
    await restart();
  });
  const listen = (port: number) =>
    new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  async function restart(): Promise<void> {
    const closed = new Promise((done) => server.close(done));
    server.closeAllConnections();
    await closed;
    await listen(port);
  }
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${port}/hook`,
    accepted,
    forged,
    useSecret: (value: string) => {
      secret = value;
    },
  };
}

/** Accepts connections and never answers. */
async function startDeadReceiver(): Promise<string> {
  const server = createServer(() => {});
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test('when receivers fail and instances are killed at every step, then each event arrives, few of them twice', async () => {
  const url = await createDatabase(sharedMariadbUrl());
  const db = await migratedAt(url);
  const settings = { auth: INSTANCE_AUTH, database: { url }, webhooks: { private: true } };
  const admin = openWebhookAdmin({ db, settings: parseSettings(settings) });
  const receiver = await startUnreliableReceiver();
  const common = { description: '', format: 'standard', language: null, paused: false } as const;
  const actor = { name: 'test', via: 'cli' } as const;
  const good = { ...common, url: receiver.url, events: ['player.deleted'] } as const;
  const { id, secret } = await admin.add(actor, good);
  receiver.useSecret(secret);
  await admin.add(actor, { ...common, url: await startDeadReceiver(), events: ['player.unbanned'] });

  const writeAll = (total: number, type: 'player.deleted' | 'player.unbanned') =>
    Promise.all(
      Array.from({ length: 10 }, (_, part) =>
        db.transaction(async (trx) => {
          for (let player_id = 1; player_id <= total / 10; player_id++)
            await enqueueEvent(
              trx,
              type === 'player.deleted'
                ? { type, data: { player_id: part * total + player_id } }
                : { type, data: { player_id, account: 'x', reason: null, by: 'x' } },
            );
        }),
      ),
    );
  await writeAll(DEAD_EVENTS, 'player.unbanned');
  await writeAll(EVENTS, 'player.deleted');

  let kills = 0;
  async function start(dieAt?: (typeof deliveryFailpoints)[number]) {
    const folder = tempDir('webhooks');
    const port = await freePort();
    const file = join(folder, 'gatehouse.toml');
    const log = { file: join(folder, 'service.log') };
    writeFileSync(file, stringify({ ...settings, log, port, host: '127.0.0.1' }));
    const arm = dieAt ? ['--die-at-delivery', dieAt, '--after', String(PASSED[dieAt])] : [];
    return startProcess({
      command: process.execPath,
      args: [join(import.meta.dirname, 'money/service.ts'), '--config', file, ...arm],
      cwd: folder,
      ready: async () => (await fetch(`http://127.0.0.1:${port}/api/health/live`)).ok,
      deadlineMs: MINUTE_MS,
    });
  }
  async function runInstance(failpoint: (typeof deliveryFailpoints)[number]): Promise<void> {
    try {
      await (await start(failpoint)).exited;
    } catch (error) {
      // The process may die before it answers.
      if (!String(error).includes('SIGKILL')) throw error;
    }
    kills += 1;
    const last = await start();
    onTestFinished(() => last.stop());
  }
  // Three instances, and each dies at another step.
  await Promise.all(deliveryFailpoints.map(runInstance));
  await expect.poll(() => receiver.accepted.size, { timeout: 3 * MINUTE_MS, interval: 500 }).toBe(EVENTS);
  // The last outcomes are written after the receiver has answered.
  const delivered = async () => {
    const [webhook] = (await admin.list({ limit: 10 })).filter((each) => each.id === id);
    return [webhook?.pending, webhook?.parked];
  };
  await expect.poll(delivered, { timeout: MINUTE_MS, interval: 500 }).toEqual([0, 0]);
  const doubled = [...receiver.accepted.values()].filter((times) => times > 1).length;
  expect(receiver.forged).toEqual([]);
  expect(kills).toBe(deliveryFailpoints.length);
  expect(doubled).toBeLessThanOrEqual(EVENTS / 100);
}, 300_000);
