import { expect, test } from 'vitest';
import { browserSuite } from './browser-suite.ts';
import { PASSWORD } from './test-server.ts';

const suite = browserSuite();

test('when a password is reset, then the new one logs in and the old one does not', async () => {
  const { account, email } = await suite.server.register('forgetful');
  const { page, goTo, submit, waitForText, logIn, waitForPath } = await suite.openSession();
  await goTo('/login');
  await page.getByRole('link', { name: '忘记密码？' }).click();
  await page.fill('[name=email]', email);
  await page.getByRole('button', { name: '获取验证码' }).click();
  await page.fill('[name=code]', await suite.server.code(email));
  await page.fill('[name=password]', 'Starlight-over-43');
  expect(await page.isChecked('[name=unbind]')).toBe(false);
  await submit();
  await waitForText(`账号 ${account} 的密码已重设`);

  await logIn(account, PASSWORD);
  await waitForText('账号或密码错误');
  await logIn(account, 'Starlight-over-43');
  await waitForPath('/');
});

test('when the mail arrives before the page hears that it was sent, then the code typed meanwhile stays', async () => {
  const { email } = await suite.server.register('quick_mail');
  const { page, goTo } = await suite.openSession();
  const typed = Promise.withResolvers<void>();
  await page.route('**/api/send_code', async (route) => {
    const response = await route.fetch();
    await typed.promise;
    await route.fulfill({ response });
  });
  await goTo('/login?mode=reset');
  await page.fill('[name=email]', email);
  await page.getByRole('button', { name: '获取验证码' }).click();
  const code = await suite.server.code(email);
  await page.fill('[name=code]', code);
  typed.resolve();
  await page.getByRole('button', { name: /秒后可重发/ }).waitFor();
  expect(await page.inputValue('[name=code]')).toBe(code);
});

test('when too many codes were sent to an address, then the page says how long to wait', async () => {
  const email = 'impatient@example.com';
  for (let n = 0; n < 3; n += 1) await suite.server.requestCode(email, 'reset');
  const { page, goTo, waitForText } = await suite.openSession();
  await goTo('/login?mode=reset');
  await page.fill('[name=email]', email);
  await page.getByRole('button', { name: '获取验证码' }).click();
  await waitForText(/请在 \d+ 分钟后再试/);
  expect(await page.getByRole('button', { name: /秒后可重发/ }).isDisabled()).toBe(true);
});

test('when a wrong password is tried too often, then the page says how long to wait', async () => {
  await suite.server.register('guessed');
  const { goTo, logIn, waitForText, page } = await suite.openSession();
  await goTo('/login');
  for (let n = 0; n < 6; n += 1) {
    await logIn('guessed', `wrong-${n}`);
    await page.locator('button[type=submit]:not([aria-busy])').waitFor();
    if (n === 2) await waitForText('还可尝试 2 次');
    if (n === 3) await waitForText('再输错一次');
  }
  await waitForText(/尝试次数过多.*分钟/);
});
