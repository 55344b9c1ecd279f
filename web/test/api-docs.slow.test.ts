import { test } from 'vitest';
import { browserSuite } from './browser-suite.ts';
import { examinePage } from './examine-page.ts';

const suite = browserSuite();

test('when every operation of the API page is open, then all of it is accessible and fits', async () => {
  const { page, goTo } = await suite.openSession('desktop', 'en-GB');
  await goTo('/api/docs');
  await page.evaluate(() => {
    for (const each of document.querySelectorAll('details')) each.open = true;
  });
  await examinePage(page, { consoleErrors: [] });
});
