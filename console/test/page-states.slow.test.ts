import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible } from '../../web/test/axe.ts';
import { sizes } from '../../web/test/browser.ts';
import { examinePage, expectFit } from '../../web/test/examine-page.ts';
import { dialogs, type PageState, pageStates } from './page-states/index.ts';
import { openStatePage, type StatePage } from './state-page.ts';
import { stateSuite } from './state-suite.ts';

const suite = stateSuite();
let shown: StatePage;

async function examine(state: PageState) {
  await examinePage(shown.page, { consoleErrors: await shown.show(state), failing: state.failing });
}

/** The page underneath is checked as its own state. */
async function expectDialog() {
  await expectAccessible(shown.page, 'dialog');
  await expectFit(shown.page);
}

describe('every screen and state on a phone', () => {
  beforeAll(async () => {
    shown = await openStatePage({ ...suite, size: 'phone', language: 'zh-CN' });
  });
  afterAll(() => shown?.close());

  test.each(pageStates)('when a phone shows $name, then it is accessible, logs no errors and fits', examine);

  const paths = [...new Set(dialogs.map(({ path }) => path))];
  test.each(paths)(
    'when the dialogs of %s are opened on a phone, then each is accessible, logs no errors and fits',
    async (path) => {
      const { page, show } = shown;
      const [first, ...others] = dialogs.filter((state) => state.path === path);
      const consoleErrors = first ? await show(first) : [];
      await expectDialog();
      for (const { act, shows } of others) {
        await page.keyboard.press('Escape');
        await page.locator('dialog').waitFor({ state: 'detached' });
        await act?.(page);
        await page.locator(shows).first().waitFor();
        await expectDialog();
      }
      expect(consoleErrors).toEqual([]);
    },
  );
});

describe('every screen with a different layout on a desktop', () => {
  beforeAll(async () => {
    shown = await openStatePage({ ...suite, size: 'desktop', language: 'en' });
  });
  afterAll(() => shown?.close());

  test.each(pageStates.filter(({ wide }) => wide))(
    'when a desktop shows $name in English, then it is accessible, logs no errors and fits, and fits a phone too',
    async (state) => {
      await examine(state);
      // English words are longer, so what fits in Chinese may not fit.
      await shown.page.setViewportSize(sizes.phone);
      await expectFit(shown.page);
      await shown.page.setViewportSize(sizes.desktop);
    },
  );
});

describe('every screen and state on a desktop at double size', () => {
  beforeAll(async () => {
    shown = await openStatePage({ ...suite, size: 'zoomed', language: 'en' });
  });
  afterAll(() => shown?.close());

  test.each(pageStates.filter(({ phoneOnly }) => !phoneOnly))(
    'when a desktop at double size shows $name, then it is accessible, logs no errors and fits',
    examine,
  );

  test.each(dialogs)(
    'when a desktop at double size shows $name, then it is accessible and fits',
    async (state) => {
      await shown.show(state);
      await expectDialog();
    },
  );
});

describe('a first visit on a slow network', () => {
  beforeAll(async () => {
    shown = await openStatePage({ ...suite, size: 'desktop', language: 'en' });
  });
  afterAll(() => shown?.close());

  test.each([
    ['/', '.u-over', ['me', 'dashboard?days=30', 'zones?limit=200']],
    ['/zones', '.wall .tile', ['me', 'zones?limit=200']],
    ['/players', 'tbody tr', ['me', 'players', 'zones?limit=200']],
    [
      '/withdrawals',
      'tbody tr',
      ['me', 'withdrawals', 'withdrawals?state=unknown&limit=50', 'zones?limit=200'],
    ],
  ])(
    'when %s is opened, then its data is requested once, before the scripts have loaded',
    async (path, shows, early) => {
      const { page, show } = shown;
      const requested: string[] = [];
      const all = Promise.withResolvers<void>();
      page.on('request', (request) => {
        const [, wanted] = request.url().split('/api/admin/');
        if (wanted !== undefined && requested.push(wanted) >= early.length) all.resolve();
      });
      await page.route('**/assets/app-*.js', async (route) => {
        await all.promise;
        await route.continue();
      });
      await show({ name: path, path, shows });
      await page.unrouteAll();
      page.removeAllListeners('request');
      expect(requested.slice(0, early.length)).toEqual(early);
      for (const wanted of early) expect(requested.filter((one) => one === wanted)).toHaveLength(1);
    },
  );
});
