// @vitest-environment node
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from './browser.ts';
import { startGameClient } from './game-client.ts';
import { openTraveller } from './traveller.ts';
import { startWorld, type World } from './world.ts';

let world: World;
let browser: Browser;
let client: Awaited<ReturnType<typeof startGameClient>>;

beforeAll(async () => {
  client = await startGameClient();
  world = await startWorld({ client: { url: client.url, handoff: 'redirect' } });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
  await client?.stop();
});

test('when the hand-over is a redirect, then the client gets everything in the fragment and no server sees it', async () => {
  await world.register('rider');
  const { page, signIn, token, leave } = await openTraveller(browser, world.url);
  await signIn('rider');
  await page.locator('.enter').waitFor();
  const jwt = await token();
  await page.locator('.enter').click();
  const received = JSON.parse((await page.locator('#received:not(:empty)').textContent()) ?? '{}');
  expect(received).toEqual({
    account: 'rider',
    token: jwt,
    server_id: '1',
    name: '玄武门',
    address: 's1.game.test',
    port: '7001',
  });
  expect(client.requests.join('\n')).not.toContain(jwt);

  await page.goBack();
  await page.getByRole('heading', { name: '选择区服' }).waitFor();
  await leave();
});
