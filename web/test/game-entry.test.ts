import { expect, onTestFinished, test } from 'vitest';
import { browserSuite } from './browser-suite.ts';

const suite = browserSuite();

test('when the player goes back, then the zone list is shown; when the page reloads, then the game is', async () => {
  await suite.server.register('wanderer');
  const { page, openAndLogIn, waitForPath, received } = await suite.openSession();
  await openAndLogIn('wanderer');
  await page.locator('.enter').click();
  await received();
  await waitForPath('/#zone-1');
  await page.reload();
  expect(await received()).toMatchObject({ account: 'wanderer' });
  await page.goBack();
  await page.getByRole('heading', { name: '选择区服' }).waitFor();

  await page.locator('.enter').click();
  await page.frameLocator('iframe').locator('#leave').click();
  await page.getByRole('heading', { name: '选择区服' }).waitFor();
  await waitForPath('/');
});

test('when a zone closes while the player looks at it, then the page says so', async () => {
  await suite.server.register('latecomer');
  const { page, openAndLogIn, waitForText } = await suite.openSession();
  await openAndLogIn('latecomer');
  await page.locator('.zone', { hasText: '朱雀大街' }).click();
  onTestFinished(async () => void (await suite.server.operate('zone', 'set', '2', '--status', 'busy')));
  await suite.server.operate('zone', 'set', '2', '--status', 'maintenance');
  await expect
    .poll(
      async () =>
        (await (await fetch(`${suite.server.url}/api/server/list`)).text()).match(/maintenance/g)?.length,
    )
    .toBe(2);
  await page.locator('.enter').click();
  await waitForText(/该区服正在维护/);
});

test('when the service goes down, then the page says so, and works again when it is back', async () => {
  await suite.server.register('patient');
  const { page, openAndLogIn, waitForText, received } = await suite.openSession();
  await openAndLogIn('patient');
  await page.locator('.enter').waitFor();
  await suite.server.service.stop();
  await page.locator('.enter').click();
  await waitForText('无法连接服务器');
  await suite.server.service.restart();
  await page.locator('.enter').click();
  expect(await received()).toMatchObject({ account: 'patient' });
});
