import { mkdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { launchBrowser, sizes } from '../test/browser.ts';
import { CLIENT_ORIGIN } from '../test/fake-api.ts';
import { servePages } from '../test/pages.ts';
import { scenes } from '../test/scenes.ts';
import { stage } from '../test/stage.ts';

// Every page and state, phone and desktop, both languages. Words on the command line choose scenes by name.
const wanted = process.argv.slice(2);
const folder = fileURLToPath(new URL('../screenshots', import.meta.url));
const chosen = scenes.filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)));

if (wanted.length === 0) await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const pages = await servePages(CLIENT_ORIGIN);
const browser = await launchBrowser();

for (const size of Object.keys(sizes) as (keyof typeof sizes)[]) {
  for (const language of ['zh-CN', 'en'] as const) {
    for (const scene of chosen) {
      const { page, close } = await stage(scene, { browser, url: pages.url, size, language });
      await page.screenshot({ path: `${folder}/${scene.name}.${size}.${language}.png`, scale: 'css' });
      await close();
    }
  }
}

await browser.close();
await pages.close();
console.log(`${chosen.length * 4} pictures in ${folder}`);
