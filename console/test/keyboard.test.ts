import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { withoutLongTimers } from '../../web/test/timers.ts';
import { consoleSuite } from './console-suite.ts';

const suite = consoleSuite();
let page: Page;

const MAX_STEPS = 80;

/** Presses Tab until an element of this name is focused, and checks that the focus is visible. */
async function tabTo(name: RegExp): Promise<void> {
  for (let step = 0; step < MAX_STEPS; step++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement & { labels?: NodeListOf<HTMLElement> };
      const looks = () =>
        [element, element.parentElement ?? element].map((each) => {
          const { outline, boxShadow, borderColor } = getComputedStyle(each);
          return `${outline} ${boxShadow} ${borderColor}`;
        });
      const withFocus = looks();
      element.blur();
      const without = looks();
      element.focus();
      return {
        name: element.ariaLabel || element.labels?.[0]?.innerText || element.innerText || '',
        shows: String(withFocus) !== String(without),
      };
    });
    if (!name.test(focused.name.trim())) continue;
    expect(focused).toMatchObject({ shows: true });
    return;
  }
  throw new Error(`nothing named ${name} is reached in ${MAX_STEPS} steps`);
}

async function press(name: RegExp): Promise<void> {
  await tabTo(name);
  await page.keyboard.press('Enter');
}

async function fill(name: RegExp, text: string): Promise<void> {
  await tabTo(name);
  await page.keyboard.type(text);
}

beforeAll(async () => {
  page = await suite.openAs('boss', 'admin');
  // A toast would vanish after 8 s, which the many presses of Tab can take.
  await withoutLongTimers(page);
  await page.reload();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
});

test('when an operator uses only the keyboard, then a player is found and banned, and the audit entry opened', async () => {
  await suite.registerPlayer('rascal');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('rasc');
  await page.getByRole('option', { name: /rascal/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'rascal' }).waitFor();

  await press(/^Ban…/);
  await page.getByRole('dialog').waitFor();
  await fill(/^Reason/, 'sells gold in chat');
  await press(/^Ban until/);
  await page.getByRole('link', { name: /audit entry/ }).waitFor();
  await press(/audit entry/);
  await page.locator('tr.marked').getByText('“sells gold in chat”').waitFor();
});

test('when an operator uses only the keyboard, then addresses are denied for an hour and allowed again', async () => {
  await press(/^Controls/);
  await page.getByRole('heading', { name: 'Controls' }).waitFor();
  await press(/^Deny addresses…/);
  await page.getByRole('dialog').waitFor();
  await fill(/^Addresses/, '198.51.100.0/24');
  // One key, because a select forgets earlier letters if the next comes a second later.
  await fill(/^Duration/, '1');
  await fill(/^Reason/, 'floods');
  await press(/^Deny until/);
  const denied = page.getByRole('row', { name: /198\.51\.100\.0\/24 .*floods/ });
  await denied.waitFor();
  await press(/^Allow/);
  await page.getByRole('dialog').waitFor();
  await fill(/^Reason/, 'it is quiet');
  await press(/^Allow/);
  await denied.waitFor({ state: 'detached' });
});
