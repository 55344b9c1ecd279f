// @vitest-environment node
import AxeBuilder from '@axe-core/playwright';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, type Size } from './browser.ts';
import { CLIENT_ORIGIN } from './fake-api.ts';
import { servePages } from './pages.ts';
import { type Scene, scenes } from './scenes.ts';
import { stage } from './stage.ts';

let browser: Browser;
let pages: Awaited<ReturnType<typeof servePages>>;

beforeAll(async () => {
  pages = await servePages(CLIENT_ORIGIN);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await pages?.close();
});

// A failed load is reported by the browser itself, not by the page.
const ownComplaints = (said: string[]) => said.filter((line) => !line.startsWith('Failed to load resource'));

async function examine(scene: Scene, size: Size, language: 'zh-CN' | 'en') {
  const { page, complaints, close } = await stage(scene, { browser, url: pages.url, size, language });
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  expect(scene.failing ? ownComplaints(complaints) : complaints).toEqual([]);
  const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(sideways).toBeLessThanOrEqual(0);
  await close();
}

describe('every state of every page', () => {
  test.each(scenes)('when a phone shows $name, then it is accessible, quiet and fits', (scene) =>
    examine(scene, 'phone', 'zh-CN'),
  );

  test.each(scenes.filter(({ wide }) => wide))(
    'when a desktop shows $name in English, then it is accessible, quiet and fits',
    (scene) => examine(scene, 'desktop', 'en'),
  );
});
