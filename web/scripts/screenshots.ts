import { mkdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { launchBrowser, sizes } from '../test/browser.ts';
import { CLIENT_ORIGIN } from '../test/fixtures.ts';
import { openStatePage } from '../test/open-page-state.ts';
import { pageStates } from '../test/page-states/index.ts';
import { startStaticServer } from '../test/static-server.ts';

// Every page and state, phone and desktop, both languages. Arguments choose states by name.
const wanted = process.argv.slice(2);
const folder = fileURLToPath(new URL('../screenshots', import.meta.url));
const chosen = pageStates.filter(
  ({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)),
);

if (wanted.length === 0) await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const server = await startStaticServer(CLIENT_ORIGIN);
const browser = await launchBrowser();

for (const size of Object.keys(sizes) as (keyof typeof sizes)[]) {
  for (const language of ['zh-CN', 'en'] as const) {
    const { page, show, close } = await openStatePage({ browser, url: server.url, size, language });
    for (const state of chosen) {
      await show(state);
      await page.screenshot({ path: `${folder}/${state.name}.${size}.${language}.png`, scale: 'css' });
    }
    await close();
  }
}

await browser.close();
await server.close();
console.log(`${chosen.length * 4} pictures in ${folder}`);
