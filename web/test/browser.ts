import { type Browser, type BrowserServer, chromium } from 'playwright-core';
import { MissingProgram } from '../../test-support/executables.ts';
import { findChromium } from '../../test-support/programs.ts';

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

function launchOptions() {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new MissingProgram('chromium');
  return {
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
  };
}

/** Address of the run's browser. Every test file connects to it, and its contexts end with the connection. */
export const BROWSER_URL = 'TEST_BROWSER_URL';

export function openBrowser(): Promise<Browser> {
  const shared = process.env[BROWSER_URL];
  return shared === undefined ? chromium.launch(launchOptions()) : chromium.connect(shared);
}

/** Starts a browser that others can connect to at its `wsEndpoint()`. */
export const serveBrowser = (): Promise<BrowserServer> => chromium.launchServer(launchOptions());
