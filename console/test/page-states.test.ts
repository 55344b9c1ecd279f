import { describe, test } from 'vitest';
import { examinePage } from '../../web/test/examine-page.ts';
import { pageStates } from './page-states/index.ts';
import { openStatePage } from './state-page.ts';
import { stateSuite } from './state-suite.ts';

/** `page-states.slow.test.ts` covers all of them. */
const names = ['overview', 'player', 'withdrawal'];
const states = pageStates.filter(({ name }) => names.includes(name));
const suite = stateSuite();

describe.each([
  ['a phone in Chinese', { size: 'phone', language: 'zh-CN' }],
  ['a desktop in English', { size: 'desktop', language: 'en' }],
] as const)('the console on %s', (_name, look) => {
  test.each(states)('when $name is shown, then it is accessible, quiet and fits', async (state) => {
    const { page, show, close } = await openStatePage({ ...suite, ...look });
    await examinePage(page, { consoleErrors: await show(state), failing: state.failing });
    await close();
  });
});
