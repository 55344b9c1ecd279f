import { beforeAll, describe, test } from 'vitest';
import { examinePage } from './examine-page.ts';
import { openStatePage, type StatePage } from './open-page-state.ts';
import { pageStates } from './page-states/index.ts';
import { staticSuite } from './static-suite.ts';

/** `page-states.slow.test.ts` covers all of them. */
const names = ['login', 'register-wrong', 'home', 'withdraw-confirm', 'account'];
const states = pageStates.filter(({ name }) => names.includes(name));
const suite = staticSuite();

describe.each([
  ['a phone in Chinese', { size: 'phone', language: 'zh-CN' }],
  ['a desktop in English', { size: 'desktop', language: 'en' }],
] as const)('the pages on %s', (_name, look) => {
  let opened: StatePage;
  beforeAll(async () => {
    opened = await openStatePage({ ...suite, ...look });
  });

  test.each(states)('when $name is shown, then it is accessible, logs no errors and fits', async (state) => {
    await examinePage(opened.page, { consoleErrors: await opened.show(state), failing: state.failing });
  });
});
