import { expect } from 'vitest';
import { codeAt } from '../../server/test/support/totp.ts';
import type { TestServer } from '../../web/test/test-server.ts';
import { type Client, GatehouseError } from '../src/index.ts';

const PASSWORD = 'Moonlight-over-42';
const OTHER_PASSWORD = 'Starlight-over-43';

interface World {
  readonly api: Client;
  readonly server: TestServer;
  readonly account: string;
  readonly newsId: number;
  /** Logs in with the forum and returns its ticket; undefined if there are no cookies. */
  readonly forumTicket?: () => Promise<string>;
}

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'no error',
    (error: unknown) => (error instanceof GatehouseError ? error.code : Promise.reject(error)),
  );

/** Calls every route of the players' API as one player would, and returns the token with which to enter the game. */
export async function callEveryRoute({ api, server, account, newsId, forumTicket }: World): Promise<string> {
  await look(api, newsId);
  const email = await enroll(api, server, account);
  const token = await play(api, server, account);
  await forum(api, account, forumTicket);
  await ownAccount(api, server, account);
  await secondFactor(api, account);

  await api.sendCode({ email: `new.${email}`, purpose: 'reset' });
  const code = await server.code(`new.${email}`);
  expect(await api.resetPassword({ email: `new.${email}`, code, password: PASSWORD })).toEqual({ account });
  expect(await codeOf(api.ownAccount())).toBe('invalid_token');
  expect(await isSignedIn(api)).toBe(false);
  await api.login({ account, password: PASSWORD });

  await api.sendCode({ email: `new.${email}`, purpose: 'delete' });
  const sure = await server.code(`new.${email}`);
  const { deletion_at } = await api.deleteAccount({ password: PASSWORD, code: sure });
  expect(Date.parse(deletion_at)).toBeGreaterThan(Date.now());
  expect((await api.keepAccount()).deletion_at).toBeNull();
  return token;
}

/** Awaited, because in the browser it is a call into the page. */
const isSignedIn = async (api: Client) => (await api.session) !== null;

async function look(api: Client, newsId: number) {
  expect((await api.config()).game.name).toBe('烽火长安');
  expect((await api.serverList()).servers).toHaveLength(3);
  expect(await api.agreement({ language: 'en' })).toContain('<html');
  expect(await api.announcementList({ language: 'zh-CN' })).toEqual({ announcements: [] });
  expect((await api.newsList({ limit: 1 })).news).toMatchObject([{ id: newsId }]);
  expect((await api.news({ id: String(newsId) })).body_html).toContain('<strong>');
  expect(await api.url('authorize', { provider: 'forum' })).toMatch(/authorize\?provider=forum$/);
}

async function enroll(api: Client, server: TestServer, account: string): Promise<string> {
  const email = `${account}@example.com`;
  expect(await api.sendCode({ email, purpose: 'register' })).toMatchObject({ expires_in: 60 });
  const code = await server.code(email);
  await api.register({ account, password: PASSWORD, email, code, agent_id: 'nobody', server_id: 1 });
  expect(await isSignedIn(api)).toBe(true);
  expect(await api.logout()).toBeUndefined();
  expect(await isSignedIn(api)).toBe(false);
  expect(await codeOf(api.login({ account, password: 'wrong' }))).toBe('invalid_credentials');
  expect(await api.login({ account, password: PASSWORD })).toMatchObject({ account, server_id: 1 });
  return email;
}

async function play(api: Client, server: TestServer, account: string): Promise<string> {
  const { token, server: entered } = await api.enterGame({ server_id: 1 });
  expect(entered.server_id).toBe(1);
  const { id: role } = await server.zone.addRole({ account, name: `R-${account}`, balance: 1000 });
  expect((await api.roles({ server_id: 1 })).roles).toMatchObject([{ role_id: role, balance: 1000 }]);
  const order = { server_id: 1, role, amount: 300 };
  const once = await api.withdraw(order, { idempotencyKey: `key-${account}` });
  expect(once).toMatchObject({ state: 'done', amount: 300 });
  expect(await api.withdraw(order, { idempotencyKey: `key-${account}` })).toEqual(once);
  expect(server.zone.balance(role)).toBe(700);
  const { withdrawals, day } = await api.withdrawals({ limit: 5, include: 'day' });
  expect(withdrawals).toHaveLength(1);
  expect(day?.used).toBe(300);
  return token;
}

async function forum(api: Client, account: string, ticketOf: World['forumTicket']) {
  if (ticketOf) {
    const session = await api.forumBind({ ticket: await ticketOf(), account, password: PASSWORD });
    expect(session.account).toBe(account);
    expect((await api.bindings()).bindings).toMatchObject([{ provider: 'forum' }]);
    expect((await api.unbind({ provider: 'forum' })).bindings).toEqual([]);
  } else {
    expect(await codeOf(api.forumBind({ ticket: 'none' }))).toBe('invalid_ticket');
    expect((await api.bindings()).bindings).toEqual([]);
    expect(await codeOf(api.unbind({ provider: 'forum' }))).toBe('not_found');
  }
}

async function ownAccount(api: Client, server: TestServer, account: string) {
  const email = `${account}@example.com`;
  expect(await api.ownAccount()).toMatchObject({ account, email });
  // The history is written concurrently with the requests.
  await expect.poll(async () => (await api.ownLogins()).logins.map(({ kind }) => kind)).toContain('enter');
  expect(await api.exportAccount()).toMatchObject({ account: expect.anything() });
  await api.changePassword({ old_password: PASSWORD, password: OTHER_PASSWORD });
  const before = (await api.session)?.token;
  await api.signOutEverywhere();
  expect((await api.session)?.token).not.toBe(before);
  expect(await codeOf(api.chooseName({ account: `${account}_2` }))).toBe('already_bound');
  await api.sendCode({ email: `new.${email}`, purpose: 'email' });
  const code = await server.code(`new.${email}`);
  expect(await api.changeEmail({ email: `new.${email}`, code, password: OTHER_PASSWORD })).toMatchObject({
    email: `new.${email}`,
  });
}

async function secondFactor(api: Client, account: string) {
  const { secret } = await api.beginTotp({ password: OTHER_PASSWORD });
  const { recovery_codes } = await api.confirmTotp({ code: await codeAt(secret) });
  const [first = '', used = ''] = recovery_codes;
  await api.logout();
  const refused = await api.login({ account, password: OTHER_PASSWORD }).then(
    () => expect.unreachable('a second factor should be asked for'),
    (error: GatehouseError) => error,
  );
  expect(refused.code).toBe('second_factor_required');
  const challenge = refused.secondFactorChallenge ?? '';
  expect(await api.loginSecondFactor({ challenge, code: first })).toMatchObject({ account });
  const renewed = (await api.renewRecoveryCodes({ code: used })).recovery_codes;
  expect(await api.removeTotp({ password: OTHER_PASSWORD, code: renewed[0] ?? '' })).toBeUndefined();
}
