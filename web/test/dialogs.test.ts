import type { Request } from 'playwright-core';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { openStatePage, type StatePage } from './open-page-state.ts';
import { pageStates } from './page-states/index.ts';
import { staticSuite } from './static-suite.ts';

const suite = staticSuite();

let desktop: StatePage;

beforeAll(async () => {
  desktop = await openStatePage({ ...suite, size: 'desktop', language: 'en' });
});

async function opened(name: string) {
  const state = pageStates.find((one) => one.name === name);
  if (!state) throw new Error(`no page state ${name}`);
  await desktop.show(state);
  return desktop.page;
}

test.each([
  ['home-bindings', '.toggle'],
  ['withdraw-confirm', 'form > button[type=submit]'],
])('when the dialog of %s closes, then the focus returns to what opened it', async (state, opener) => {
  const page = await opened(state);
  await page.getByRole('button', { name: 'Close' }).click();
  await page.locator('dialog').waitFor({ state: 'detached' });
  await page.locator(`${opener}:focus`).waitFor();
});

test('when Escape closes a dialog, then it can be opened again', async () => {
  const page = await opened('withdraw-confirm');
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await page.locator('dialog').waitFor();
});

test('when an identity is being unlinked, then its button says so and ignores a second click', async () => {
  const page = await opened('home-unbinding');
  const button = page.locator('dialog .danger');
  expect(await button.innerText()).toBe('Unlinking…');
  expect(await button.isDisabled()).toBe(true);
});

test('when checking the result of a withdrawal needs a code, then it is sent with the same order and key', async () => {
  const sent: Request[] = [];
  const collect = (request: Request) => {
    if (request.url().endsWith('/api/game/withdraw')) sent.push(request);
  };
  desktop.page.on('request', collect);
  onTestFinished(() => void desktop.page.off('request', collect));
  const page = await opened('withdraw-lost-second-factor');
  await page.fill('[name=one_time_code]', '123456');
  await page.locator('dialog button[type=submit]').click();
  await page.locator('.outcome.done').waitFor();
  const [order, , withCode] = sent.map((request) => request.postDataJSON());
  expect(withCode).toEqual({ ...order, code: '123456' });
  expect(new Set(sent.map((request) => request.headers()['idempotency-key'])).size).toBe(1);
});
