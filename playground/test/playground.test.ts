import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { cookieWith, newBrowser } from '../../server/test/support/forum-browser.ts';
import { runCli } from '../../test-support/gatehouse.ts';
import { DEMO, PASSWORD, type Playground, runScript, startPlayground } from './playground-app.ts';

// Processes start slowly on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let playground: Playground;
beforeAll(async () => {
  playground = await startPlayground();
});
afterAll(() => playground.stop());

test('when a newcomer registers, enters, plays and withdraws, then each works and the currency is gone from the game', async () => {
  const { get, post, register } = playground;
  const { servers } = (await get('/api/server/list')).body;
  expect(servers.map(({ status }: { status: string }) => status)).toEqual(['new', 'busy', 'maintenance']);

  const { site } = (await get('/api/config')).body;
  expect(site).toMatchObject({ accent: '#7cc4ff', logo: expect.stringMatching(/^\/brand\//) });
  expect((await get('/api/news')).body.news).toHaveLength(3);

  const token = await register('newcomer');
  for (const server_id of [1, 2]) {
    const entry = await post('/api/enter_game', { server_id }, token);
    expect(entry.body).toMatchObject({ account: 'newcomer', server: { server_id } });
    expect(entry.body.launch_url).toMatch('/playground/client/');
    const claim = { account: entry.body.account, token: entry.body.token, server_id };
    expect(claim.token).toMatch(/^[\w-]{43}$/);
    const elsewhere = { ...claim, server_id: 3 - server_id };
    expect((await post('/playground/game/enter', elsewhere)).body.code).toBe('invalid_token');
    const played = await post('/playground/game/enter', claim);
    expect(played.body.role).toEqual({ name: 'newcomer', level: 1, balance: 0 });

    const { session } = played.body;
    expect((await post('/playground/game/earn', { session, total: 60 })).body).toEqual({
      credited: 60,
      balance: 60,
    });
    // A report that is sent twice adds nothing.
    expect((await post('/playground/game/earn', { session, total: 60 })).body).toEqual({
      credited: 60,
      balance: 60,
    });

    const roles = () => get(`/api/game/roles?server_id=${server_id}`, token);
    // Fewer than the limit of an account.
    const saved = { timeout: 40_000, interval: 1500 };
    await expect.poll(async () => (await roles()).body.roles[0]?.balance, saved).toBe(60);
    const order = { server_id, role: 'newcomer', amount: 50 };
    expect((await post('/api/game/withdraw', order, token)).body).toMatchObject({ state: 'done' });
    expect((await post('/playground/game/earn', { session, total: 60 })).body.balance).toBe(10);
  }
  expect((await post('/api/enter_game', { server_id: 3 }, token)).body.code).toBe('server_closed');
});

test('when a player cheats, then the game server does not accept it', async () => {
  const { post } = playground;
  const { token } = (await post('/api/login', DEMO)).body;
  const enter = (claim: object) => post('/playground/game/enter', { ...DEMO, token, server_id: 1, ...claim });

  expect((await enter({ account: 'demo_banned' })).body.code).toBe('invalid_token');
  expect((await enter({ token: 'a.b.c' })).body.code).toBe('invalid_token');
  expect((await enter({ server_id: 3 })).body.code).toBe('server_not_found');
  expect((await enter({ server_id: '1' })).body.code).toBe('invalid_request');
  expect((await post('/playground/game/earn', { session: 'made-up', total: 5 })).body.code).toBe(
    'invalid_token',
  );

  const { session, role } = (await enter({})).body;
  expect(role).toMatchObject({ name: '提灯人', balance: 8888 });
  const greedy = (await post('/playground/game/earn', { session, total: 1_000_000_000 })).body;
  expect(greedy.credited).toBeLessThan(10_000);
  expect(greedy.balance).toBe(8888 + greedy.credited);
  expect((await post('/playground/game/earn', { session, total: -1 })).body.code).toBe('invalid_request');
});

test('when a code is requested, then the mailbox shows it in the language of the request', async () => {
  const { url, get, codeFor } = playground;
  const ask = (email: string, language: string) =>
    fetch(`${url}/api/send_code`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-language': language },
      body: JSON.stringify({ email }),
    });
  await ask('one@example.com', 'zh-CN');
  await ask('two@example.com', 'en');
  expect(await codeFor('one@example.com')).toMatch(/^\d{6}$/);
  await codeFor('two@example.com');
  const { now, messages: all } = (await get('/playground/mail/messages.json')).body;
  const messages = all.filter(({ to }: { to: string }) => /^(one|two)@/.test(to));
  expect(messages.map(({ to }: { to: string }) => to)).toEqual(['two@example.com', 'one@example.com']);
  expect(messages[0].subject).toBe('Your 灯火城 Playground verification code');
  expect(messages[1].subject).toBe('灯火城 Playground 验证码');
  expect(messages[1].text).toContain(messages[1].code);
  expect(messages[0].expires_at - messages[0].sent_at).toBe(60_000);
  expect(Math.abs(now - messages[0].sent_at)).toBeLessThan(60_000);
});

test('when a mail has no code, then the mailbox shows its text', async () => {
  const { post, get, register } = playground;
  const token = await register('mailreader');
  const change = { old_password: PASSWORD, password: 'Sunrise-over-43' };
  expect((await post('/api/account/password', change, token)).status).toBe(200);
  const notices = async () => {
    const { body } = await get('/playground/mail/messages.json');
    return body.messages.filter(
      ({ to, code }: { to: string; code: string | null }) => to === 'mailreader@example.com' && code === null,
    );
  };
  await expect.poll(notices).toHaveLength(1);
  const [{ subject, text }] = await notices();
  expect(subject).toMatch(/密码|password/i);
  expect(text).toContain('mailreader');
  // Decoded: no header, markup or transfer encoding is left.
  expect(text).not.toMatch(/<\/?[a-z]|=[0-9A-F]{2}|content-type:|^--/im);
});

test('when the forum button is used, then a visitor returns with an account', async () => {
  const { port, get } = playground;
  const browser = newBrowser();
  const page = await browser.open(`http://localhost:${port}/api/forumauth/authorize?redirect=/`);
  const action = /action="([^"]+)"/.exec(page.text)?.[1] ?? '';
  const back = await browser.open(new URL(action, page.url).href, { form: { user: '1002' } });
  expect(back.fragment.get('linked')).toBe('0');
  const ticket = back.fragment.get('ticket') ?? '';
  const made = await fetch(`http://localhost:${port}/api/forumauth/bind`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: cookieWith(ticket) },
    body: JSON.stringify({ ticket }),
  });
  expect(made.status).toBe(201);
  const { token } = (await made.json()) as { token: string };
  const { bindings } = (await get('/api/bind', token)).body;
  expect(bindings).toMatchObject([{ provider: 'forum', connect_id: '1002' }]);
});

test('when operators’ commands get its settings file, then they work on the playground', async () => {
  const { folder } = playground;
  const { code, stdout } = await runCli(['zone', 'list', '--json'], {
    config: join(folder, 'gatehouse.toml'),
  });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toHaveLength(3);
});

test('when a page is opened by IP address, then the browser is redirected to the host name, where sessions and the forum work', async () => {
  const { port, get } = playground;
  const { status, headers } = await get('/login?mode=register');
  expect(status).toBe(302);
  expect(headers.get('location')).toBe(`http://localhost:${port}/login?mode=register`);
  expect((await fetch(`http://localhost:${port}/playground/mail`)).status).toBe(200);
});

test('when the playground’s pages are served, then scripts load only from there and only we may frame the game', async () => {
  const { port } = playground;
  const policyOf = async (path: string) => {
    const answer = await fetch(`http://localhost:${port}${path}`);
    expect({ path, status: answer.status }).toEqual({ path, status: 200 });
    return answer.headers.get('content-security-policy') ?? '';
  };
  const [mail, client] = [await policyOf('/playground/mail'), await policyOf('/playground/client/')];
  for (const policy of [mail, client]) {
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toContain('unsafe');
  }
  expect(mail).toContain("frame-ancestors 'none'");
  expect(client).toContain("frame-ancestors 'self'");
  await policyOf('/playground/client/main.js');
});

// `playground-smoke.slow.test.ts` also runs the smoke test with a known account, behind nginx, and against something that is not
// a Gatehouse.
test('when the smoke test checks the playground, then it passes, also with a new account', async () => {
  const url = `http://localhost:${playground.port}`;
  const { code, stdout } = await runScript('scripts/smoke.ts', [url, '--json', '--register']);
  const { checks } = JSON.parse(stdout) as { checks: { name: string; outcome: string }[] };
  expect(checks.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
  expect(code).toBe(0);
});
