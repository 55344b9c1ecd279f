import { describe, expect, test } from 'vitest';
import { audienceOf } from './audience.ts';
import { browserSuite } from './browser-suite.ts';
import { PASSWORD } from './test-server.ts';

const suite = browserSuite({ settings: { auth: { password_min: 12 } } });

const player = async (account: string) =>
  JSON.parse(await suite.server.operate('player', 'show', account, '--json'));

describe.each(['phone', 'desktop'] as const)('a new player, %s', (size) => {
  test('when a visitor registers and enters a zone, then the game client receives account, token and server', async () => {
    const { page, goTo, waitForPath, submit, waitForText, token, received } = await suite.openSession(size);
    const account = `newcomer_${size}`;
    const email = `${account}@example.com`;
    const agentId = /\d+/.exec(await suite.server.operate('promoter', 'add', `promoter ${size}`))?.[0];

    await goTo(`/?agent_id=${agentId}`);
    await waitForPath('/login');
    await page.getByRole('link', { name: '注册' }).click();
    expect(await page.title()).toBe('注册 · 烽火长安');
    await waitForText('12–72 个字符');
    await submit();
    expect(await page.locator('[aria-invalid=true]').count()).toBe(5);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('account');
    await page.fill('[name=account]', account);
    await page.fill('[name=password]', PASSWORD);
    await page.fill('[name=email]', email);
    await page.getByRole('button', { name: '获取验证码' }).click();
    await page.getByRole('button', { name: /秒后可重发/ }).waitFor();
    await page.fill('[name=code]', await suite.server.code(email));
    await submit();
    await waitForText('请先阅读并同意用户协议');
    await page.check('[name=agree]');
    // Players without a chosen zone see the zone list as new players; all others enter the zone immediately.
    if (size === 'desktop') await page.selectOption('[name=server_id]', { label: '暂不选择' });
    await submit();

    if (size === 'desktop') {
      await page.getByRole('heading', { name: `${account}，欢迎您` }).waitFor();
      await waitForText('推荐从这里开始');
      expect(await page.getByText('上次进入').count()).toBe(0);
      await page.locator('.zone', { hasText: '玄武门' }).click();
      await page.getByRole('button', { name: '进入 玄武门' }).click();
    }
    const handedOver = await received();
    expect(handedOver).toEqual({
      type: 'gatehouse:enter',
      version: 1,
      account,
      token: expect.any(String),
      server: { server_id: 1, name: '玄武门', address: 's1.game.test', port: 7001 },
      origin: suite.server.url,
    });
    // The game gets a token that is valid only for the game, not the session.
    expect(audienceOf(handedOver.token)).toBe('game');
    expect(audienceOf(await token())).toBe('player');
    expect(await player(account)).toMatchObject({ email, last_server_id: 1, agent_id: Number(agentId) });
    expect((await player(account)).browse).toMatch(/Chrome \d+/);
    const seen = [...suite.server.client.requests, suite.server.service.output()].join('\n');
    for (const secret of [handedOver.token, await token()]) expect(seen).not.toContain(String(secret));
  });
});

describe('a refused registration', () => {
  async function signUp({ account = 'second_comer', email = 'second@example.com', password = PASSWORD }) {
    const { page, goTo, submit } = await suite.openSession();
    await suite.server.requestCode(email);
    await goTo('/login?mode=register');
    await page.fill('[name=account]', account);
    await page.fill('[name=password]', password);
    await page.fill('[name=email]', email);
    await page.fill('[name=code]', await suite.server.code(email));
    await page.check('[name=agree]');
    await submit();
    /** Returns the note at a field after the service's answer. */
    return (field: string) =>
      page.locator('.field.wrong', { has: page.locator(`[name=${field}]`) }).innerText();
  }

  test('when the name is taken, then the page says so at the name', async () => {
    await suite.server.register('first_comer');
    const noteAt = await signUp({ account: 'First_Comer' });
    expect(await noteAt('account')).toContain('这个账号名已被占用');
  });

  test('when the e-mail address is taken, then the page says so at the address', async () => {
    const { email } = await suite.server.register('early_bird');
    const noteAt = await signUp({ email });
    expect(await noteAt('email')).toContain('该邮箱已注册过账号');
  });

  test('when the password is shorter than the operator requires, then the page says how long it must be', async () => {
    const noteAt = await signUp({ password: 'Moon-42-ab' });
    expect(await noteAt('password')).toContain('密码至少 12 个字符');
  });
});
