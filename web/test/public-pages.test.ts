// @vitest-environment node
import { expect, test } from 'vitest';
import { browserSuite } from './browser-suite.ts';

const suite = browserSuite();

test('when the browser speaks English, then so does the page; when the player switches, then it is remembered', async () => {
  const { page, goTo, waitForText } = await suite.openSession('desktop', 'en-GB');
  await goTo('/login');
  await waitForText('Forgot your password?');
  expect(await page.getAttribute('html', 'lang')).toBe('en');
  await page.getByRole('button', { name: /中文/ }).click();
  await waitForText('忘记密码？');
  await page.reload();
  await waitForText('忘记密码？');
  expect(await page.getAttribute('html', 'lang')).toBe('zh-CN');
});

test('when the operator writes an agreement, then the player reads it and it runs nothing', async () => {
  const { page, goTo } = await suite.openSession();
  await goTo('/agree');
  await page.frameLocator('iframe').locator('h1, h2, p').first().waitFor();
  expect(await page.getAttribute('iframe', 'sandbox')).not.toContain('allow-scripts');
});
