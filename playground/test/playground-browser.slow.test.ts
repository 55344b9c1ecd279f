import { expect, test, vi } from 'vitest';
import { DEMO } from './playground-app.ts';
import { examine, playgroundSuite } from './playground-suite.ts';

// Processes start slowly on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const { playground, openPage } = playgroundSuite();

test('when the game is opened without the platform, then it says so and offers practice', async () => {
  const { page, complaints, context, home } = await openPage('desktop', 'zh-CN');
  await page.goto(`${home}/playground/client/`);
  await page.locator('#start:has-text("随便玩玩")').click();
  await page.locator('body[data-screen=playing]').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('when another window sends a token, then the game does not take it', async () => {
  const { page, context, home } = await openPage('desktop');
  await page.goto(`${home}/playground/client/`);
  await page.locator('#start').waitFor();
  // Written as text, because it runs in the page.
  await page.evaluate(`dispatchEvent(new MessageEvent('message', {
    origin: 'http://evil.example',
    source: window,
    data: { type: 'gatehouse:enter', version: 1, account: 'a', token: 'x', server: { server_id: 1, name: 'Evil' } },
  }))`);
  await page.waitForTimeout(300);
  expect(await page.locator('#zone').textContent()).toBe('');
  await context.close();
});

test('when the game is entered by redirect, then the token is removed from the URL immediately', async () => {
  const { page, context, home } = await openPage('phone');
  const { token } = (await playground().post('/api/login', DEMO)).body;
  const entry = new URLSearchParams({ account: DEMO.account, token, server_id: '2', name: 'South Street' });
  await page.goto(`${home}/playground/client/#${entry}`);
  await page.locator('body[data-screen=ready]').waitFor();
  expect(page.url()).toBe(`${home}/playground/client/`);
  expect(await page.locator('#balance').textContent()).toBe('60');
  await context.close();
});

test('when the game is checked, then every card is accessible', async () => {
  const { page, complaints, context, home } = await openPage('phone');
  const examineCard = async (screen: string) => {
    await page.locator(`body[data-screen=${screen}]`).waitFor();
    await examine(page);
  };
  // A minute would be long.
  await page.route('**/client/round.js', async (route) => {
    const response = await route.fetch();
    await route.fulfill({
      response,
      body: (await response.text()).replace('ROUND_SECONDS = 60', 'ROUND_SECONDS = 3'),
    });
  });
  await page.goto(`${home}/playground/client/`);
  await examineCard('ready');
  await page.click('#start');
  await examineCard('done');
  expect(complaints).toEqual([]);
  // A token that the game does not accept. Open another page first: if only the fragment changes, the game stays loaded, and a
  // reload may still use the old URL.
  await page.goto('about:blank');
  await page.goto(`${home}/playground/client/#account=a&token=t&server_id=1&name=Gate`);
  await examineCard('trouble');
  await context.close();
});

test('when the mailbox is empty, then it is accessible and fits', async () => {
  const { page, complaints, context, home } = await openPage('phone', 'zh-CN');
  await page.route('**/mail/messages.json*', (route) =>
    route.fulfill({ json: { now: Date.now(), messages: [] } }),
  );
  await page.goto(`${home}/playground/mail`);
  await page.locator('#empty').waitFor();
  expect(complaints).toEqual([]);
  await examine(page);
  await context.close();
});

test.each([
  ['zh-CN', 'light'],
  ['en', 'dark'],
] as const)(
  'when the forum asks in %s who logs in, and the colours are %s, then the page is accessible',
  async (locale, colorScheme) => {
    const { page, complaints, context, home } = await openPage('phone', locale);
    await page.emulateMedia({ colorScheme });
    await page.goto(`${home}/api/forumauth/authorize?redirect=/`);
    await page.locator('button[name=user]').first().waitFor();
    expect(complaints).toEqual([]);
    await examine(page);
    // A login that the forum no longer knows.
    await page.goto(page.url().replace(/[^/]+$/, 'gone'));
    await examine(page);
    await context.close();
  },
);
