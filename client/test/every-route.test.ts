import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { startTestServer, type TestServer } from '../../web/test/test-server.ts';
import { gameServerRoutes } from '../src/contract/game-server.ts';
import { playerRoutes } from '../src/contract/player.ts';
import { type Client, createClient } from '../src/index.ts';
import { createGameServer, verifyWebhook, type WebhookEvent } from '../src/server/index.ts';
import { openClientPage } from './client-page.ts';
import { callEveryRoute } from './journey.ts';

const KEY = 'a-key-for-game-servers';
const settings = {
  challenge: { mode: 'always', max_number: 2000 },
  game_servers: { key: KEY },
  webhooks: { private: true },
};

let server: TestServer;
let newsId: number;

beforeAll(async () => {
  server = await startTestServer({ settings });
  const article = ['--title', 'New zone', '--body', '**Tonight**', '--kind', 'news'];
  newsId = JSON.parse(await server.operate('announcement', 'add', ...article, '--json')).id;
  await vi.waitFor(async () => expect((await createClient(server).newsList()).news).toHaveLength(1), 20_000);
});
afterAll(() => server?.stop());

/** Records the names of the functions that are called. */
function recorded<C extends object>(calls: C) {
  const called = new Set<string>();
  const proxy = new Proxy(calls, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        called.add(name === 'url' ? String(given[0]) : String(name));
        return value(...given);
      };
    },
  });
  return { proxy, called };
}

test('when a Node program calls every route, challenges included, then each works', async () => {
  const { proxy, called } = recorded<Client>(createClient({ url: server.url, language: () => 'en' }));
  const account = 'node_player';
  const token = await callEveryRoute({ api: proxy, server, account, newsId });
  expect([...called].sort()).toEqual(Object.keys(playerRoutes).sort());

  const { proxy: game, called: byGame } = recorded(createGameServer({ url: server.url, key: KEY }));
  // The password was reset since the token was made.
  await expect(game.checkPlayer({ account, token, server_id: 1 })).rejects.toMatchObject({
    code: 'invalid_token',
    status: 401,
  });
  await proxy.login({ account, password: 'Moonlight-over-42' });
  const entered = await proxy.enterGame({ server_id: 1 });
  expect(await game.checkPlayer({ account, token: entered.token, server_id: 1 })).toMatchObject({
    valid: true,
    account,
  });
  const line = { server_id: 1, role: 'Dragon', content: 'hello' };
  expect(await game.reportChat(line)).toEqual({ accepted: 1 });
  expect(await game.reportChat({ records: [line, line] })).toEqual({ accepted: 2 });
  expect(await game.bindAccount({ account, connect_id: 'wx 47&11' })).toMatchObject({ account });
  expect(await game.link({ connect_id: 'wx 47&11', provider: 'forum' })).toEqual({ account });
  const unsigned = createGameServer({ url: server.url, key: 'another' });
  await expect(unsigned.link({ connect_id: 'wx 47&11' })).rejects.toMatchObject({
    code: 'caller_not_allowed',
  });
  expect([...byGame].sort()).toEqual(Object.keys(gameServerRoutes).sort());
});

test('when a page in Chromium calls every route, challenges included, then each works', async () => {
  const page = await openClientPage(server.url);
  onTestFinished(page.close);
  const { proxy, called } = recorded<Client>(page.client);
  const account = 'page_player';
  await callEveryRoute({ api: proxy, server, account, newsId, forumTicket: page.forumTicket });
  expect([...called].sort()).toEqual(Object.keys(playerRoutes).sort());
  expect(page.workers()).toBeGreaterThan(0);
  expect(page.errors).toEqual([]);
});

test('when the service sends a webhook, then it is verified, and a forged one is refused', async () => {
  const events: (WebhookEvent | string)[] = [];
  let secret = '';
  const receiver = createServer(async (request, response) => {
    const body = await text(request);
    events.push(verifyWebhook(body, request.headers, secret));
    for (const [forged, headers] of [
      [body.replace('test', 'tost'), request.headers],
      [body, { ...request.headers, 'webhook-id': 'msg_other' }],
    ] as const)
      expect(() => verifyWebhook(forged, headers, secret)).toThrow('invalid_signature');
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void receiver.close());
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const added = await server.operate('webhook', 'add', url, '--events', 'player.registered', '--json');
  const webhook = JSON.parse(added);
  secret = webhook.secret;
  await server.operate('webhook', 'test', String(webhook.id));
  expect(events).toEqual([
    {
      id: expect.stringMatching(/^msg_/),
      type: 'webhook.test',
      timestamp: expect.any(String),
      data: { webhook_id: webhook.id },
    },
  ]);
});
