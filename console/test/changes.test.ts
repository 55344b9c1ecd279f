import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { plainPng } from '../../server/test/support/pictures.ts';
import { consoleSuite } from './console-suite.ts';
import { button, clickBackdrop, dragToBackdrop, submitDialog } from './dialog.ts';

const ICP = '京ICP备20260001号-1';
const suite = consoleSuite({ settings: { webhooks: { private: true }, site: { icp: ICP } } });
let boss: Page;

beforeAll(async () => {
  boss = await suite.openAs('boss', 'admin');
  await suite.registerPlayer('traveller');
});

test('when support helps a player, then each action is done and named in the audit', async () => {
  await boss.goto(suite.url('/players/1'));
  await button(boss, 'Note').click();
  const note = boss.getByRole('dialog').locator('[name=text]');
  await dragToBackdrop(boss, note);
  expect(await note.isVisible()).toBe(true);
  await clickBackdrop(boss);
  await note.waitFor({ state: 'detached' });
  await button(boss, 'Note').click();
  await submitDialog(boss, { text: 'called about a lost role' }, 'The note has been saved.');
  await boss.getByText('called about a lost role').waitFor();
  await button(boss, 'E-mail').click();
  await submitDialog(
    boss,
    { email: 'new@example.com', reason: 'asked for' },
    'e-mail address of traveller has been changed',
  );
  await boss.getByText('new@example.com').first().waitFor();
  await button(boss, 'Sign out').click();
  await submitDialog(boss, {}, 'signed out everywhere');
  await button(boss, 'Ban…').click();
  await submitDialog(boss, { reason: 'a mistake' }, 'traveller has been banned.');
  await button(boss, 'Lift the ban').click();
  await submitDialog(boss, { reason: 'it was one' }, 'no longer banned');
  await button(boss, 'Reset password').click();
  await submitDialog(boss, { reason: 'lost' }, 'The password for traveller has been reset.');
  const temporary = boss.getByRole('dialog').getByText('Give the player this temporary password.');
  await temporary.waitFor();
  await clickBackdrop(boss);
  expect(await temporary.isVisible()).toBe(true);
  await boss.keyboard.press('Escape');
  await temporary.waitFor({ state: 'detached' });
});

test('when recovery codes are shown, then only saying that they are saved closes them', async () => {
  const confirm = '**/api/admin/me/totp/confirm';
  await boss.route(confirm, (route) => route.fulfill({ json: { recovery_codes: ['k7q0-m2xp-9d4t'] } }));
  await boss.goto(suite.url('/account'));
  await button(boss, 'Set up two-factor login').click();
  const dialog = boss.getByRole('dialog');
  await dialog.locator('[name=code]').fill('123456');
  await dialog.locator('button[type=submit]').click();
  await dialog.getByText('k7q0-m2xp-9d4t').waitFor();
  await boss.unroute(confirm);
  await clickBackdrop(boss);
  // Chromium lets a page prevent one Escape, but not the next.
  for (let press = 0; press < 3; press++) await boss.keyboard.press('Escape');
  expect(await dialog.getByRole('button', { name: 'Close' }).count()).toBe(0);
  expect(await button(boss, 'Continue').isDisabled()).toBe(true);
  await dialog.getByLabel('I have saved them').check();
  await button(boss, 'Continue').click();
  await dialog.waitFor({ state: 'detached' });
});

test('when a manager announces and overrides, then players and the settings show it, and it can be undone', async () => {
  await boss.goto(suite.url('/announcements'));
  await button(boss, 'New announcement').click();
  await submitDialog(
    boss,
    { title: 'Tonight', body: 'Maintenance at ten' },
    'The announcement has been published.',
  );
  await boss.getByText('Maintenance at ten').waitFor();
  await button(boss, 'Edit').click();
  expect(await boss.getByRole('dialog').locator('[name=title]').inputValue()).toBe('Tonight');
  await submitDialog(boss, { body: 'Maintenance at eleven' }, 'The announcement has been changed.');
  await boss.getByText('Maintenance at eleven').waitFor();
  await button(boss, 'Remove').click();
  await submitDialog(boss, {}, 'The announcement has been removed.');
  await boss.getByText('No announcements yet').waitFor();

  await boss.goto(suite.url('/controls'));
  await button(boss, 'Override…').first().click();
  await boss.getByRole('dialog').locator('input').first().fill('5');
  await submitDialog(boss, { reason: 'a storm' }, 'In effect.');
  await button(boss, 'Clear…').click();
  await submitDialog(boss, { reason: 'it is over' }, 'The value of the settings file applies again.');

  await boss.goto(suite.url('/promoters'));
  await button(boss, 'Add a promoter').first().click();
  await submitDialog(boss, { name: 'Night market' }, 'Night market has been added.');
  await button(boss, 'Rename').click();
  await submitDialog(boss, { name: 'Day market' }, 'Renamed to Day market.');
  await boss.getByRole('heading', { name: 'Day market' }).waitFor();
  await button(boss, 'Close promoter').click();
  await submitDialog(boss, {}, 'Day market has been closed.');
  await button(boss, 'Reopen promoter').click();
  await submitDialog(boss, {}, 'Day market has been reopened.');
});

test('when a manager publishes a look, then players see it; undoing restores the previous one', async () => {
  const config = async () => (await boss.request.get(suite.url('/../api/config'))).json();
  await boss.goto(suite.url('/site'));
  await boss.fill('[name=icp]', '');
  await boss.getByText('Leave empty for no text').waitFor();
  await boss.fill('[name=icp]', ICP);
  await boss.fill('[name=title]', 'Cloudridge');
  await boss.fill('[name=accent]', '#223344');
  await boss.getByText(/at least 4\.5 : 1 is needed/).waitFor();
  expect(await button(boss, 'Publish…').isDisabled()).toBe(true);
  await boss.fill('[name=accent]', '#5aa9ff');
  await boss.setInputFiles('[name=logo]', {
    name: 'logo.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>',
    ),
  });
  await boss.getByText('Unpublished changes: 3').waitFor();
  await button(boss, 'Publish…').click();
  await submitDialog(boss, { reason: 'opening' }, 'The site has been published.');
  expect((await config()).site).toMatchObject({
    title: 'Cloudridge',
    accent: '#5aa9ff',
    logo: expect.stringMatching(/^\/brand\//),
  });
  await boss.getByText('No changes').waitFor();
  await button(boss, 'Back to the previous…').click();
  await boss.getByRole('dialog').getByText('Cloudridge').waitFor();
  await submitDialog(boss, {}, 'The previous version has been restored.');
  const { site } = await config();
  expect({ accent: site.accent, logo: site.logo }).toEqual({ accent: undefined, logo: undefined });
  expect(site.title).not.toBe('Cloudridge');
});

test('when a part of a publication is refused, then the rest stays in the draft and can be published', async () => {
  await boss.goto(suite.url('/site'));
  await boss.fill('[name=title]', 'Lantern Gate');
  await button(boss, 'Add a link').click();
  await boss.getByLabel('Text', { exact: true }).fill('Forum');
  await boss.getByLabel('URL', { exact: true }).fill('www.example.com');
  const svg = { name: 'picture.svg', mimeType: 'image/svg+xml' };
  const namespace = 'xmlns="http://www.w3.org/2000/svg"';
  const scripted = Buffer.from(`<svg ${namespace}><script>1</script></svg>`);
  const plain = Buffer.from(`<svg ${namespace} viewBox="0 0 8 8"><path d="M0 0h8v4z"/></svg>`);
  await boss.setInputFiles('[name=logo]', { ...svg, buffer: scripted });
  await boss.setInputFiles('[name=favicon]', { ...svg, buffer: plain });
  await boss.getByText('Unpublished changes: 4').waitFor();
  await button(boss, 'Publish…').click();
  const act = button(boss, 'Publish now');
  const refused = boss.getByRole('dialog').locator('.notice.error');
  await act.click();
  await refused.getByText(/links\.0\.url/).waitFor();
  await boss.getByText('Unpublished changes: 4').waitFor();
  await boss.keyboard.press('Escape');
  await boss.getByLabel('URL', { exact: true }).fill('https://forum.example.com/');

  await button(boss, 'Publish…').click();
  await act.click();
  await refused.waitFor();
  // The texts are stored now, both pictures are not.
  await boss.getByText('Unpublished changes: 2').waitFor();
  await boss.keyboard.press('Escape');
  await boss.setInputFiles('[name=logo]', { ...svg, buffer: plain });
  await button(boss, 'Publish…').click();
  await submitDialog(boss, {}, 'The site has been published.');
  const { site } = await (await boss.request.get(suite.url('/../api/config'))).json();
  expect(site).toMatchObject({
    title: 'Lantern Gate',
    links: [{ label: 'Forum', url: 'https://forum.example.com/' }],
    logo: expect.stringMatching(/^\/brand\//),
    favicon: expect.stringMatching(/^\/brand\//),
  });
});

test('when a publication is stored but its answer lost, then nothing is left to publish', async () => {
  const site = '**/api/admin/site';
  await boss.route(site, async (route) => {
    if (route.request().method() !== 'PATCH') return route.fallback();
    await route.fetch();
    return route.abort();
  });
  await boss.goto(suite.url('/site'));
  await boss.fill('[name=title]', 'Lantern Tower');
  await button(boss, 'Publish…').click();
  await button(boss, 'Publish now').click();
  await boss.getByRole('dialog').locator('.notice.error').waitFor();
  await boss.getByText('No changes').waitFor();
  expect(await button(boss, 'Publish now').isDisabled()).toBe(true);
  await boss.unroute(site);
});

test('when a background is dropped, then its visible part is chosen by keys or mouse, and published', async () => {
  await boss.goto(suite.url('/site'));
  const field = boss.locator('.picture', { has: boss.locator('[name=background_wide]') });
  const photo = plainPng(3200, 900, [70, 80, 90], [255, 255, 255]);
  const dropped = await boss.evaluateHandle(`(() => {
    const bytes = Uint8Array.fromBase64('${photo.toString('base64')}');
    const files = new DataTransfer();
    files.items.add(new File([bytes], 'photo.png', { type: 'image/png' }));
    return files;
  })()`);
  await field.locator('.drop').dispatchEvent('drop', { dataTransfer: dropped });
  const dialog = boss.getByRole('dialog');
  await dialog.getByText('1,600 × 900 pixels').waitFor();
  // As high as the picture, so it cannot move up or down.
  expect(await dialog.locator('[name=crop_y]').isDisabled()).toBe(true);
  await boss.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await boss.getByText('No changes').waitFor();

  await boss.setInputFiles('[name=background_wide]', {
    name: 'photo.png',
    mimeType: 'image/png',
    buffer: photo,
  });
  const side = dialog.locator('[name=crop_x]');
  await side.press('End');
  await button(boss, 'Use this part').click();
  await field.getByText('This picture is bright.').waitFor();

  await field.getByRole('button', { name: 'Remove' }).click();
  await boss.setInputFiles('[name=background_wide]', {
    name: 'photo.png',
    mimeType: 'image/png',
    buffer: photo,
  });
  const frame = await dialog.locator('.frame').boundingBox();
  if (!frame) expect.fail('there is no frame');
  await boss.mouse.move(frame.x + frame.width / 2, frame.y + frame.height / 2);
  await boss.mouse.down();
  await boss.mouse.move(frame.x - frame.width, frame.y, { steps: 4 });
  await boss.mouse.up();
  expect(await side.inputValue()).toBe('0');
  await button(boss, 'Use this part').click();
  await field.locator('img').waitFor();
  expect(await field.getByText('This picture is bright.').count()).toBe(0);
  await button(boss, 'Publish…').click();
  await submitDialog(boss, {}, 'The site has been published.');

  const { site } = await (await boss.request.get(suite.url('/../api/config'))).json();
  const [width, height, ...pixel] = (await boss.evaluate(`(async () => {
    const image = new Image();
    image.src = '${site.background_wide}';
    await image.decode();
    const context = document.createElement('canvas').getContext('2d');
    context.drawImage(image, 0, 0);
    return [image.naturalWidth, image.naturalHeight, ...context.getImageData(1, 1, 1, 1).data];
  })()`)) as number[];
  expect([width, height]).toEqual([1600, 900]);
  for (const [index, value] of [70, 80, 90].entries())
    expect(Math.abs((pixel[index] ?? 0) - value)).toBeLessThan(6);
});

test('when a file is not a picture, then the dialog says so and it cannot be used', async () => {
  await boss.goto(suite.url('/site'));
  await boss.setInputFiles('[name=background_tall]', {
    name: 'photo.png',
    mimeType: 'image/png',
    buffer: Buffer.from('not a picture'),
  });
  await boss.getByRole('dialog').getByText('Your browser cannot read this picture.').waitFor();
  expect(await button(boss, 'Use this part').isDisabled()).toBe(true);
});

test('when a manager writes news, then the preview shows it and it is published', async () => {
  await boss.goto(suite.url('/announcements'));
  await button(boss, 'New announcement').click();
  const dialog = boss.getByRole('dialog');
  await dialog.getByLabel('Kind').selectOption('news');
  await dialog.locator('[name=body]').fill('On **Friday** at eight');
  await dialog.locator('.preview strong', { hasText: 'Friday' }).waitFor();
  await submitDialog(
    boss,
    { title: 'Siege', summary: 'All zones fight' },
    'The announcement has been published.',
  );
  await boss.getByText('All zones fight').waitFor();
  const { news } = await (await boss.request.get(suite.url('/../api/news'))).json();
  expect(news).toMatchObject([{ title: 'Siege', summary: 'All zones fight' }]);
});

test('when a zone is added, changed and cloned, then fields that were not edited stay', async () => {
  await boss.goto(suite.url('/zones'));
  await button(boss, 'Add a zone').first().click();
  const added = { server_id: '21', name: 'Lantern 21', address: '127.0.0.1', port: '7021' };
  await submitDialog(
    boss,
    { ...added, gm_url: 'http://gm:secret@127.0.0.1:8021/' },
    'Lantern 21 has been added.',
  );
  await boss.getByRole('heading', { name: 'Lantern 21' }).waitFor();
  await button(boss, 'Edit').click();
  await submitDialog(boss, { name: 'Lantern XXI', port: '7121' }, 'Lantern XXI has been changed.');
  await boss.getByText('127.0.0.1:7121').waitFor();
  await boss.getByText('http://gm:***@127.0.0.1:8021/').first().waitFor();
  await button(boss, 'Copy as new zone').click();
  await boss.getByText('Passwords are not copied.').waitFor();
  const clone = { server_id: '22', name: 'Lantern 22', gm_url: 'http://gm:other@127.0.0.1:8022/' };
  await submitDialog(boss, clone, 'Lantern 22 has been added.');
  await boss.getByRole('heading', { name: 'Lantern 22' }).waitFor();
  await boss.getByText('127.0.0.1:7121').waitFor();
});

test('when an admin invites, limits and disables operators, and makes and revokes a key, then each takes effect', async () => {
  await boss.goto(suite.url('/operators'));
  await button(boss, 'Invite an operator').click();
  await submitDialog(boss, { name: 'li.na' }, 'li.na has been invited.');
  const invitation = boss.getByRole('dialog').getByText(/\/console\/invite#/);
  await invitation.waitFor();
  await clickBackdrop(boss);
  expect(await invitation.isVisible()).toBe(true);
  await boss.keyboard.press('Escape');
  const row = boss.getByRole('row', { name: /li\.na/ });
  await row.getByRole('button', { name: 'Edit' }).click();
  await boss.getByRole('dialog').getByLabel('Role').selectOption('support');
  await submitDialog(boss, { zones: '1, 3-4' }, 'li.na has been changed.');
  await boss.getByRole('row', { name: /li\.na support 1, 3, 4/ }).waitFor();
  await row.getByRole('button', { name: 'Invite again' }).click();
  await submitDialog(boss, {}, 'li.na has been invited again.');
  await boss.keyboard.press('Escape');
  await row.getByRole('button', { name: 'Disable' }).click();
  await submitDialog(boss, {}, 'li.na has been disabled.');
  await row.getByRole('button', { name: 'Enable' }).click();
  await submitDialog(boss, {}, 'li.na has been enabled.');
  await button(boss, 'Create a key').click();
  await submitDialog(boss, { name: 'nightly' }, 'Key nightly has been created.');
  await boss.keyboard.press('Escape');
  await boss
    .getByRole('row', { name: /nightly/ })
    .getByRole('button', { name: 'Revoke' })
    .click();
  await submitDialog(boss, {}, 'Key nightly has been revoked.');
});

test('when an admin adds, tests, pauses and removes a webhook, then its secret is shown once and each takes effect', async () => {
  let received = 0;
  const receiver = createServer((_request, response) => {
    received += 1;
    response.writeHead(500).end('not yet');
  });
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void receiver.close());
  const { port } = receiver.address() as AddressInfo;
  await boss.goto(suite.url('/webhooks'));
  await button(boss, 'Add a webhook').click();
  await boss.getByRole('dialog').getByLabel('Player banned').check();
  await submitDialog(boss, { url: `http://127.0.0.1:${port}/hook` }, 'The webhook is added.');
  await boss
    .getByRole('dialog')
    .getByText(/^whsec_/)
    .waitFor();
  await boss.keyboard.press('Escape');
  await boss.getByRole('link', { name: `127.0.0.1:${port}/hook` }).click();
  await button(boss, 'Send a test').click();
  await boss.getByText('The test was not delivered: Answered 500').waitFor();
  await suite.operate('player', 'ban', 'traveller');
  await expect.poll(() => received).toBe(2);
  await boss.goto(boss.url());
  const delivery = boss.getByRole('row', { name: /Player banned pending Answered 500/ });
  await delivery.getByRole('button', { name: 'Show' }).click();
  await boss.getByRole('dialog').getByText('not yet').waitFor();
  await boss.keyboard.press('Escape');
  await button(boss, 'Pause').click();
  await submitDialog(boss, {}, 'The webhook is paused.');
  await button(boss, 'New secret').click();
  await submitDialog(boss, {}, 'The new secret is made.');
  await boss.keyboard.press('Escape');
  await button(boss, 'Remove').click();
  await submitDialog(boss, {}, 'The webhook is removed.');
  await boss.getByText('No webhooks').waitFor();
});

test('when a list is downloaded, then it is a file and the audit records it', async () => {
  await boss.goto(suite.url('/players'));
  const [download] = await Promise.all([
    boss.waitForEvent('download'),
    boss.getByRole('button', { name: /CSV/ }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.csv$/);
  await boss.goto(suite.url('/audit?action=export'));
  await boss.getByRole('row', { name: /boss.*exported/ }).waitFor();
});
