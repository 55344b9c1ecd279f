import { execFileSync } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { requireExecutable } from '../../test-support/executables.ts';
import { consoleSuite } from './console-suite.ts';

const suite = consoleSuite({
  requireTotp: true,
  settings: { challenge: { mode: 'always', max_number: 2000 } },
});
const codeFor = (secret: string) =>
  execFileSync(requireExecutable('oathtool'), ['--totp', '--base32', secret], { encoding: 'utf8' }).trim();

test('when an operator is invited, then password and two-factor setup come first, and a recovery code logs in later', async () => {
  const page = await suite.openPage();
  await suite.accept(page, await suite.invite('boss', 'admin'));
  // Nothing else is allowed before setup, and the token is gone from the address bar.
  await page.waitForURL(suite.url('/two-factor?return=/'));
  await page.goto(suite.url('/players'));
  await page.waitForURL(suite.url('/two-factor?return=/players'));

  await page.locator('.qr').waitFor();
  const secret = ((await page.locator('.secret').textContent()) ?? '').replace(/\s/g, '');
  await page.fill('[name=code]', codeFor(secret));
  await page.getByRole('button', { name: 'Turn on two-factor login' }).click();
  await page.locator('.codes li').nth(9).waitFor();
  const codes = await page.locator('.codes li').allTextContents();
  expect(codes).toHaveLength(10);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the codes' }).click(),
  ]);
  expect(await text(await download.createReadStream())).toContain(codes[3]);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Players' }).waitFor();

  await page.locator('.toggle').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(suite.url('/login'));
  await suite.logIn(page, 'boss');
  await page.fill('[name=code]', codes[3] ?? '');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
});

test('when a login from another address needs a proof of work, then a worker solves it, as the page’s policy allows', async () => {
  const page = await suite.openPage();
  const statuses: number[] = [];
  const errors: string[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('/api/admin/login')) statuses.push(response.status());
  });
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) errors.push(message.text());
  });
  await page.goto(suite.url('/login'));
  await Promise.all([page.waitForEvent('worker'), suite.logIn(page, 'stranger')]);
  await expect.poll(() => statuses).toEqual([428, 401]);
  expect(errors).toEqual([]);
});

test('when an invitation was used, then the page says so', async () => {
  const link = await suite.invite('helper', 'support');
  const first = await suite.openPage();
  await suite.accept(first, link);
  await first.waitForURL(suite.url('/two-factor?return=/'));
  const page = await suite.openPage('phone');
  await page.goto(link);
  await page.getByText('This invitation has been used').waitFor();
});
