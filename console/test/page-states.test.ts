import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { examinePage } from '../../web/test/examine-page.ts';
import { pageStates } from './page-states/index.ts';
import { openStatePage, type StatePage } from './state-page.ts';
import { stateSuite } from './state-suite.ts';

/** `page-states.slow.test.ts` covers all of them. */
const names = ['overview', 'player', 'withdrawal'];
const states = pageStates.filter(({ name }) => names.includes(name));
const suite = stateSuite();

describe.each([
  ['a phone in Chinese', { size: 'phone', language: 'zh-CN' }],
  ['a desktop in English', { size: 'desktop', language: 'en' }],
] as const)('the console on %s', (_name, look) => {
  let opened: StatePage;
  beforeAll(async () => {
    opened = await openStatePage({ ...suite, ...look });
  });

  test.each(states)('when $name is shown, then it is accessible, logs no errors and fits', async (state) => {
    await examinePage(opened.page, { consoleErrors: await opened.show(state), failing: state.failing });
  });
});

describe('a slow service', () => {
  let opened: StatePage;
  beforeAll(async () => {
    opened = await openStatePage({ ...suite, size: 'desktop', language: 'en' });
  });

  const previousDay = (page: Page) => page.getByRole('button', { name: 'Previous day' }).click();
  const secondOf = (label: string) => (page: Page) => page.getByLabel(label).selectOption({ index: 1 });
  test.each([
    ['overview', 'GET dashboard', secondOf('Zone')],
    ['reconciliation', 'GET reconciliation', previousDay],
    ['registrations', 'GET registrations', previousDay],
    ['promoter', 'GET promoters/7', secondOf('Time')],
  ])(
    'when another day, zone or span is chosen on %s, then the figures before are not shown',
    async (name, request, choose) => {
      const state = pageStates.find((each) => each.name === name);
      if (!state) expect.unreachable(name);
      await opened.show(state);
      suite.api.reply({ [request]: 'never' });
      await choose(opened.page);
      await opened.page.locator('main .skeletons').waitFor();
      expect(await opened.page.locator(state.shows).count()).toBe(0);
    },
  );
});
