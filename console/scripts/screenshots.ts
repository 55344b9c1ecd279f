import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { startGatehouse } from '../../test-support/gatehouse.ts';
import { openBrowser } from '../../web/test/browser.ts';
import { startMockApi } from '../test/mock-api.ts';
import { dialogs, pageStates } from '../test/page-states/index.ts';
import { openStatePage } from '../test/state-page.ts';

// Every screen and state, phone and desktop, both languages. Arguments choose states by name.
const wanted = process.argv.slice(2);
const folder = fileURLToPath(new URL('../screenshots', import.meta.url));
const chosen = [...pageStates, ...dialogs].filter(
  ({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)),
);

await mkdir(folder, { recursive: true });
const service = await startGatehouse({ settings: { console: { require_totp: false } } });
const api = await startMockApi(service.url);
const browser = await openBrowser();
let taken = 0;
for (const size of ['phone', 'desktop'] as const) {
  for (const language of ['zh-CN', 'en'] as const) {
    const { page, show, close } = await openStatePage({ browser, api, size, language });
    for (const state of chosen) {
      if (state.phoneOnly && size !== 'phone') continue;
      await show(state);
      await page.screenshot({
        path: `${folder}/${state.name}.${size}.${language}.png`,
        scale: 'css',
        fullPage: true,
      });
      taken += 1;
    }
    await close();
  }
}
await browser.close();
await api.close();
await service.stop();
console.log(`${taken} pictures in ${folder}`);
