import { expect, test } from 'vitest';
import { createMarkdown } from '../../server/src/features/announcements/render-markdown.ts';
import { payloads } from '../../server/test/support/news-payloads.ts';
import { articles } from './brands.ts';
import { openStatePage } from './open-page-state.ts';
import { staticSuite } from './static-suite.ts';

const TIMEOUT_MS = 300_000;
/** Attacks in one article: a page for each would take minutes. */
const TOGETHER = 20;
const suite = staticSuite();

test('when news are full of attacks, then a browser runs no script and sends no request to other origins', {
  timeout: TIMEOUT_MS,
}, async () => {
  const render = createMarkdown({ images: () => false, log: { error: () => {} } });
  const { page, show, close } = await openStatePage({ ...suite, size: 'desktop', language: 'en' });
  const left: string[] = [];
  const dialogs: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(suite.url) && !url.startsWith('data:')) left.push(url);
  });
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  expect(payloads.length).toBeGreaterThanOrEqual(200);
  for (let at = 0; at < payloads.length; at += TOGETHER) {
    const together = payloads.slice(at, at + TOGETHER);
    const body_html = (await Promise.all(together.map((text) => render(text)))).join('');
    const consoleErrors = await show({
      name: 'payload',
      path: '/news/3',
      answers: { 'GET /api/news/3': { body: { ...articles[0], body_html } } },
      shows: 'article .text',
    });
    await page.locator('article .text a, article .text img').evaluateAll((elements) => {
      for (const element of elements) {
        element.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
        element.dispatchEvent(new FocusEvent('focus'));
      }
    });
    const policy = consoleErrors.filter((line) => line.includes('Content Security Policy'));
    expect({ together, policy, left, dialogs }).toEqual({ together, policy: [], left: [], dialogs: [] });
  }
  await close();
});
