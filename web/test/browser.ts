import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

/** The headless shell is Chromium without a user interface: a page costs a third less CPU time in it. */
const candidates = [
  process.env.CHROMIUM,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
];

export const sizes = {
  small: { width: 320, height: 640 },
  phone: { width: 390, height: 844 },
  tablet: { width: 820, height: 1180 },
  landscape: { width: 844, height: 390 },
  desktop: { width: 1280, height: 800 },
  /** A desktop of 1440 by 900 at 200 %. */
  zoomed: { width: 720, height: 450 },
  wide: { width: 1440, height: 900 },
} as const;
export type Size = keyof typeof sizes;

export function launchBrowser() {
  const executablePath = candidates.find((path) => path !== undefined && existsSync(path));
  if (!executablePath) throw new Error('no Chromium found: install the chromium package or set CHROMIUM');
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
