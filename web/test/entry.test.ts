// @vitest-environment node
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { launchBrowser, type Size } from './browser.ts';
import { openTraveller, type Traveller } from './traveller.ts';
import { PASSWORD, startWorld, type World } from './world.ts';

let world: World;
let browser: Browser;
let traveller: Traveller;

beforeAll(async () => {
  world = await startWorld({ auth: { password_min: 12 } });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});
afterEach(() => traveller.leave());

async function open(size?: Size, locale?: string) {
  traveller = await openTraveller(browser, world.url, size, locale);
  return traveller;
}

const player = async (account: string) =>
  JSON.parse(await world.operate('player', 'show', account, '--json'));

describe.each(['phone', 'desktop'] as const)('a new player, %s', (size) => {
  test('when somebody signs up and enters a zone, then the game client receives account, token and server', async () => {
    const { page, goTo, arriveAt, submit, see, token, received } = await open(size);
    const account = `newcomer_${size}`;
    const email = `${account}@example.com`;
    const agentId = /\d+/.exec(await world.operate('agent', 'add', `promoter ${size}`))?.[0];

    await goTo(`/?agent_id=${agentId}`);
    await arriveAt('/login');
    await page.getByRole('link', { name: '注册' }).click();
    await page.fill('[name=account]', account);
    await page.fill('[name=password]', PASSWORD);
    await page.fill('[name=email]', email);
    await page.getByRole('button', { name: '获取验证码' }).click();
    await page.getByRole('button', { name: /秒后可重发/ }).waitFor();
    await page.fill('[name=code]', await world.code(email));
    await submit();
    await see('请先阅读并同意用户协议');
    await page.check('[name=agree]');
    await submit();

    await page.getByRole('heading', { name: `${account}，欢迎回来` }).waitFor();
    await page.locator('.zone', { hasText: '玄武门' }).click();
    await page.getByRole('button', { name: '进入 玄武门' }).click();
    expect(await received()).toEqual({
      type: 'gatehouse:enter',
      version: 1,
      account,
      token: await token(),
      server: { server_id: 1, name: '玄武门', address: 's1.game.test', port: 7001 },
      origin: world.url,
    });
    expect(await player(account)).toMatchObject({ email, last_server_id: 1, agent_id: Number(agentId) });
    expect((await player(account)).browse).toMatch(/Chrome \d+/);
    expect([...world.client.requests, world.service.output()].join('\n')).not.toContain(await token());
  });
});

describe('a sign-up that is refused', () => {
  async function signUp({ account = 'second_comer', email = 'second@example.com', password = PASSWORD }) {
    const { page, goTo, submit } = await open();
    await world.requestCode(email);
    await goTo('/login?mode=register');
    await page.fill('[name=account]', account);
    await page.fill('[name=password]', password);
    await page.fill('[name=email]', email);
    await page.fill('[name=code]', await world.code(email));
    await page.check('[name=agree]');
    await submit();
    /** What stands at a field, once the service has had its say. */
    return (field: string) =>
      page.locator('.field.wrong', { has: page.locator(`[name=${field}]`) }).innerText();
  }

  test('when the name is taken, then the page says so at the name', async () => {
    await world.register('first_comer');
    const noteAt = await signUp({ account: 'First_Comer' });
    expect(await noteAt('account')).toContain('这个账号名已被占用');
  });

  test('when the e-mail address is taken, then the page says so at the address', async () => {
    const { email } = await world.register('early_bird');
    const noteAt = await signUp({ email });
    expect(await noteAt('email')).toContain('该邮箱已注册过账号');
  });

  test('when the password is shorter than the operator wants, then the page says how long it must be', async () => {
    const noteAt = await signUp({ password: 'Moon-42-ab' });
    expect(await noteAt('password')).toContain('密码须为 12 到 72 个字符');
  });
});

describe('in and out of the game', () => {
  test('when the player goes back, then the hall is there; when the page reloads, then the game is', async () => {
    await world.register('wanderer');
    const { page, signIn, arriveAt, received } = await open();
    await signIn('wanderer');
    await page.locator('.enter').click();
    await received();
    await arriveAt('/#zone-1');
    await page.reload();
    expect(await received()).toMatchObject({ account: 'wanderer' });
    await page.goBack();
    await page.getByRole('heading', { name: '选择区服' }).waitFor();

    await page.locator('.enter').click();
    await page.frameLocator('iframe').locator('#leave').click();
    await page.getByRole('heading', { name: '选择区服' }).waitFor();
    await arriveAt('/');
  });

  test('when a zone closes while the player looks at it, then the page says so kindly', async () => {
    await world.register('latecomer');
    const { page, signIn, see } = await open();
    await signIn('latecomer');
    await page.locator('.zone', { hasText: '朱雀大街' }).click();
    onTestFinished(async () => void (await world.operate('zone', 'set', '2', '--status', 'busy')));
    await world.operate('zone', 'set', '2', '--status', 'maintenance');
    await expect
      .poll(
        async () =>
          (await (await fetch(`${world.url}/api/server/list`)).text()).match(/maintenance/g)?.length,
      )
      .toBe(2);
    await page.locator('.enter').click();
    await see(/该区服正在维护/);
  });
});

describe('the guard', () => {
  test('when a visitor asks for a guarded page, then the login brings them there', async () => {
    await world.register('guest');
    const { goTo, arriveAt, logIn, page } = await open();
    await goTo('/withdraw');
    await arriveAt('/login?return=/withdraw');
    await logIn('guest');
    await arriveAt('/withdraw');
    await page.getByRole('heading', { name: '提现', exact: true }).waitFor();
  });

  describe('on a crooked way back', () => {
    beforeAll(async () => void (await world.register('straight')));

    test.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/login', '/nowhere'])(
      'when the way back is %j, then the login leads to the hall instead',
      async (wanted) => {
        const { goTo, arriveAt, logIn } = await open();
        await goTo(`/login?return=${encodeURIComponent(wanted)}`);
        await logIn('straight');
        await arriveAt('/');
      },
    );
  });

  test('when the player signs out, then the token is gone and the hall is closed', async () => {
    await world.register('leaver');
    const { page, signIn, goTo, arriveAt, token } = await open();
    await signIn('leaver');
    await page.locator('.toggle').click();
    await page.getByRole('button', { name: '退出登录' }).click();
    await arriveAt('/login');
    expect(await token()).toBeNull();
    await goTo('/');
    await arriveAt('/login');
  });

  test('when the session ends in the middle of something, then a login brings the player back to it', async () => {
    await world.register('expired');
    const { page, signIn, arriveAt, see, logIn, received } = await open();
    await signIn('expired');
    await page.locator('.enter').waitFor();
    await world.operate('player', 'sign-out', 'expired');
    await page.locator('.enter').click();
    await see('登录已过期');
    expect(await page.evaluate(() => sessionStorage.getItem('CQ-TOKEN'))).toBeNull();
    await logIn('expired');
    await arriveAt('/');
    await page.locator('.enter').click();
    expect(await received()).toMatchObject({ account: 'expired' });
  });

  test('when the account is suspended, then the player learns why', async () => {
    await world.register('rascal');
    const { page, signIn, see } = await open();
    await signIn('rascal');
    await page.locator('.enter').waitFor();
    await world.operate('player', 'ban', 'rascal', '--reason', '使用外挂');
    await page.locator('.enter').click();
    await see(/已被封停.*使用外挂/);
  });
});

describe('passwords', () => {
  test('when a password is reset, then the new one opens the gate and the old one does not', async () => {
    const { account, email } = await world.register('forgetful');
    const { page, goTo, submit, see, logIn, arriveAt } = await open();
    await goTo('/login');
    await page.getByRole('link', { name: '忘记密码？' }).click();
    await page.fill('[name=email]', email);
    await page.getByRole('button', { name: '获取验证码' }).click();
    await page.fill('[name=code]', await world.code(email));
    await page.fill('[name=password]', 'Starlight-over-43');
    await submit();
    await see(`账号 ${account} 的密码已重设`);

    await logIn(account, PASSWORD);
    await see('账号或密码不对');
    await logIn(account, 'Starlight-over-43');
    await arriveAt('/');
  });

  test('when too many codes went to an address, then the page says how long to wait', async () => {
    const email = 'impatient@example.com';
    for (let n = 0; n < 3; n += 1) await world.requestCode(email);
    const { page, goTo, see } = await open();
    await goTo('/login?mode=reset');
    await page.fill('[name=email]', email);
    await page.getByRole('button', { name: '获取验证码' }).click();
    await see(/请在 \d+ 分钟后再试/);
    expect(await page.getByRole('button', { name: /秒后可重发/ }).isDisabled()).toBe(true);
  });

  test('when a wrong password is tried too often, then the page says how long to wait', async () => {
    await world.register('guessed');
    const { goTo, logIn, see, page } = await open();
    await goTo('/login');
    for (let n = 0; n < 6; n += 1) {
      await logIn('guessed', `wrong-${n}`);
      await page.locator('button[type=submit]:not([aria-busy])').waitFor();
    }
    await see(/尝试次数过多.*分钟/);
  });
});

describe('languages', () => {
  test('when the browser speaks English, then so does the page; when the player switches, then it is remembered', async () => {
    const { page, goTo, see } = await open('desktop', 'en-GB');
    await goTo('/login');
    await see('Forgot your password?');
    expect(await page.getAttribute('html', 'lang')).toBe('en');
    await page.getByRole('button', { name: /中文/ }).click();
    await see('忘记密码？');
    await page.reload();
    await see('忘记密码？');
    expect(await page.getAttribute('html', 'lang')).toBe('zh-CN');
  });
});

describe('bad weather', () => {
  test('when the service goes away, then the page says so, and works again when it is back', async () => {
    await world.register('patient');
    const { page, signIn, see, received } = await open();
    await signIn('patient');
    await page.locator('.enter').waitFor();
    await world.service.stop();
    await page.locator('.enter').click();
    await see('没能连上服务器');
    await world.service.restart();
    await page.locator('.enter').click();
    expect(await received()).toMatchObject({ account: 'patient' });
  });

  test('when the operator writes an agreement, then the player reads it and it runs nothing', async () => {
    const { page, goTo } = await open();
    await goTo('/agree');
    await page.frameLocator('iframe').locator('h1, h2, p').first().waitFor();
    expect(await page.getAttribute('iframe', 'sandbox')).not.toContain('allow-scripts');
  });
});
