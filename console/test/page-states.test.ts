import { beforeAll, describe, test } from 'vitest';
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
