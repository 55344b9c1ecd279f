import { mkdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { openBrowser, sizes } from '../test/browser.ts';
import { CLIENT_ORIGIN } from '../test/fixtures.ts';
import { openStatePage } from '../test/open-page-state.ts';
import { pageStates } from '../test/page-states/index.ts';
import { startStaticServer } from '../test/static-server.ts';

// Every page and state, from the smallest phone to a desktop, both languages. Arguments choose states by name;
// --sizes=phone,wide and --full (the whole page, not what a screen shows) are for those.
const options = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const chosenSizes = options
  .find((option) => option.startsWith('--sizes='))
  ?.slice(8)
  .split(',');
const isFull = options.includes('--full');
const folder = fileURLToPath(new URL('../screenshots', import.meta.url));
const chosen = pageStates.filter(
  ({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)),
);

if (wanted.length === 0) await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const server = await startStaticServer(CLIENT_ORIGIN);
const browser = await openBrowser();

const names = Object.keys(sizes) as (keyof typeof sizes)[];
const shownSizes = names.filter((name) => chosenSizes?.includes(name) ?? true);
for (const size of shownSizes) {
  for (const language of ['zh-CN', 'en'] as const) {
    const { page, show, close } = await openStatePage({
      browser,
      url: server.url,
      size,
      language,
      density: 2,
    });
    for (const state of chosen) {
      await show(state);
      await page.screenshot({
        path: `${folder}/${state.name}.${size}.${language}.png`,
        scale: 'css',
        fullPage: isFull,
      });
    }
    await close();
  }
}

await browser.close();
await server.close();
console.log(`${chosen.length * 2 * shownSizes.length} pictures in ${folder}`);
