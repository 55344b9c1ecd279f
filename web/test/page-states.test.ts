import { describe, test } from 'vitest';
import { examinePage } from './examine-page.ts';
import { openStatePage } from './open-page-state.ts';
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
  test.each(states)('when $name is shown, then it is accessible, quiet and fits', async (state) => {
    const { page, show, close } = await openStatePage({ ...suite, ...look });
    await examinePage(page, { consoleErrors: await show(state), failing: state.failing });
    await close();
  });
});
