import { expect, test } from 'vitest';
import { browserSuite } from './browser-suite.ts';
import { PASSWORD } from './test-server.ts';

const suite = browserSuite({ settings: { challenge: { mode: 'always', max_number: 5000 } } });

test('when every code, registration and login costs a proof of work, then the page solves it and the player notices nothing', async () => {
  const { page, goTo, submit, waitForPath, token } = await suite.openSession();
  const account = 'proven_player';
  const email = `${account}@example.com`;
  const challenged: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 428) challenged.push(new URL(response.url()).pathname);
  });
  await goTo('/login?mode=register');
  await page.fill('[name=account]', account);
  await page.fill('[name=password]', PASSWORD);
  await page.fill('[name=email]', email);
  await page.getByRole('button', { name: '获取验证码' }).click();
  await page.getByRole('button', { name: /秒后可重发/ }).waitFor();
  await page.fill('[name=code]', await suite.server.code(email));
  await page.check('[name=agree]');
  await submit();
  await expect.poll(token).toMatch(/^eyJ/);

  await page.evaluate(() => sessionStorage.clear());
  await goTo('/login');
  await waitForPath('/login');
  await page.fill('[name=account]', account);
  await page.fill('[name=password]', PASSWORD);
  await submit();
  await expect.poll(token).toMatch(/^eyJ/);
  expect(challenged).toEqual(['/api/send_code', '/api/register', '/api/login']);
});
