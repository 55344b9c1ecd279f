import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { withoutLongTimers } from '../../web/test/timers.ts';
import { consoleSuite } from './console-suite.ts';

// A whole night at the console is in operators-night.slow.test.ts.
const suite = consoleSuite();
let boss: Page;

beforeAll(async () => {
  boss = await suite.openAs('boss', 'admin');
});

test('when a player is found by search and banned, then the toast links to the audit entry', async () => {
  await suite.registerPlayer('rascal');
  // The toast with the link would vanish after 8 s.
  const timers = await withoutLongTimers(boss);
  await boss.reload();
  await timers.dispose();
  await boss.getByRole('heading', { name: 'Overview' }).waitFor();
  await boss.keyboard.press('Control+k');
  await boss.keyboard.type('rasc');
  await boss.getByRole('option', { name: /rascal/ }).waitFor();
  await boss.keyboard.press('Enter');
  await boss.getByRole('heading', { name: 'rascal' }).waitFor();

  await boss.getByRole('button', { name: 'Ban…' }).click();
  await boss.fill('[name=reason]', 'sells gold in chat');
  const act = boss.getByRole('dialog').getByRole('button', { name: /^Ban until \d\d-\d\d/ });
  await act.click();
  const entry = boss.getByRole('link', { name: /audit entry/ });
  await entry.waitFor();
  await boss.getByText('Banned until').waitFor();
  await entry.click();
  await boss.locator('tr.marked').getByText('“sells gold in chat”').waitFor();
  expect(new URL(boss.url()).pathname).toBe('/console/audit');
});

test('when a list is filtered, then the URL has the filter, back undoes it, and a colleague sees the same list', async () => {
  await boss.goto(suite.url('/players'));
  await boss.getByLabel('Status').selectOption('banned');
  await boss.waitForURL(suite.url('/players?status=banned'));
  await boss.goBack();
  await boss.waitForURL(suite.url('/players'));
  await boss.goForward();
  await expect.poll(() => boss.getByLabel('Status').inputValue()).toBe('banned');
});

test('when rows are navigated by keyboard, then j and k move and Enter opens', async () => {
  await suite.registerPlayer('walker_one');
  await suite.registerPlayer('walker_two');
  await boss.goto(suite.url('/players?q=walker'));
  await boss.locator('tbody tr').nth(1).waitFor();
  for (const key of ['j', 'j', 'k', 'Enter']) await boss.keyboard.press(key);
  await boss.getByRole('heading', { name: 'walker_one' }).waitFor();
});

test('when an operator may only read, then other actions are absent or say who has the permission', async () => {
  const page = await suite.openAs('guest', 'viewer', 'phone');
  await page.goto(suite.url('/players?q=rascal'));
  await page.locator('tbody tr a').first().click();
  await page.getByRole('heading', { name: 'rascal' }).waitFor();
  expect(await page.getByRole('button', { name: /Ban|ban/ }).count()).toBe(0);
  await page.goto(suite.url('/audit'));
  await page.getByText('Ask someone with the role manager or admin.').waitFor();
});

test('when a session ends during use, then the operator is told when, and continues at the same place after login', async () => {
  const page = await suite.openAs('night', 'manager');
  await page.goto(suite.url('/promoters'));
  await page.getByText('No promoters yet').waitFor();
  await suite.operate('operator', 'set', 'night', '--role', 'support');
  const signedOut = page.getByText(/You were signed out at \d\d:\d\d/);
  // The page refreshes its badges and may show the change before the click.
  await page.getByRole('link', { name: 'Zones' }).or(signedOut).first().click();
  await signedOut.waitFor();
  await suite.logIn(page, 'night');
  await page.waitForURL(/\/console\/(zones|promoters)$/);
});

test('when a zone is added, then the overview of zones shows it', async () => {
  await boss.goto(suite.url('/zones'));
  await boss.getByRole('button', { name: 'Add a zone' }).click();
  await boss.fill('[name=server_id]', '7');
  await boss.fill('[name=name]', 'Seventh Gate');
  await boss.fill('[name=address]', 's7.game.test');
  await boss.fill('[name=port]', '7007');
  await boss.getByRole('button', { name: 'Add zone' }).click();
  await boss.getByRole('heading', { name: 'Seventh Gate' }).waitFor();
  await boss.goto(suite.url('/zones?q=seventh'));
  await boss.getByRole('link', { name: /Seventh Gate/ }).waitFor();
});
