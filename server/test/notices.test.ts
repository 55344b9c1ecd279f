import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { describeByTier } from '../../test-support/engines.ts';
import { mailText } from '../../test-support/mail.ts';
import { type Smtp, startSmtp } from '../../test-support/smtp.ts';
import { mailQueue, type Notice } from '../src/features/notices/notify-player.ts';
import { noticeMail } from '../src/integrations/notice-mail.ts';
import { fixedSettings } from '../src/settings/live.ts';
import { parseSettings } from '../src/settings/load.ts';
import { makeOperator } from './support/operator.ts';
import { startTestApp } from './support/test-app.ts';
import { addPlayerWithRole, startWithdrawApp } from './support/withdraw-app.ts';

const origin = { address: '203.0.113.5', language: 'en' };

const notices: readonly Notice[] = [
  { kind: 'password' },
  { kind: 'password', linked: { accounts: ['Forum <b>Hero</b>'], ended: false } },
  { kind: 'password', linked: { accounts: ['Forum <b>Hero</b>'], ended: true } },
  { kind: 'email', email: 'new@example.com' },
  { kind: 'two_factor_on' },
  { kind: 'two_factor_off' },
  { kind: 'wrong_codes' },
  { kind: 'linked', provider: 'forum' },
  { kind: 'unlinked', provider: 'forum' },
  { kind: 'signed_out' },
  { kind: 'linked', provider: 'forum', gameServer: { connectId: '<b>7</b>', unconfirmed: true } },
  { kind: 'withdrawal', withdrawId: 'w-1', amount: 100, zone: '玄武门', role: '<b>Hero</b>' },
  { kind: 'deletion', deletionAt: '2026-11-23T00:00:00.000Z' },
];

async function startMailServer(): Promise<Smtp> {
  const smtp = await startSmtp();
  onTestFinished(smtp.stop);
  return smtp;
}

describeByTier('notices by mail', (engine) => {
  async function start(settings: Record<string, unknown> = {}) {
    const smtp = await startMailServer();
    const { mail, ...others } = settings as { mail?: object };
    const url = await engine.freshUrl();
    const app = await startTestApp(url, { ...others, mail: { url: smtp.url, ...mail } });
    await app.db.kysely
      .insertInto('player')
      .values({ id: 1, account: 'alice', email: 'alice@example.com' })
      .execute();
    return { app, smtp, url };
  }

  const toldBy = (smtp: Smtp) => smtp.messages.map(({ to, raw }) => `${to}: ${mailText(raw)}`);

  test('when an account is changed, then its owner gets a mail in the language of the request', async () => {
    const { app, smtp } = await start();
    const { notifyPlayer } = app.features.notices;
    notifyPlayer({ playerId: 1, notice: { kind: 'password' }, ...origin });
    const english = await smtp.waitForMessage('alice@example.com');
    expect(english.raw).toContain('text/html');
    expect(mailText(english.raw)).toContain('The password was changed');
    expect(mailText(english.raw)).toContain('203.0.113.5');
    expect(mailText(english.raw)).toContain('http://localhost:3001/login?mode=reset');
    notifyPlayer({ playerId: 1, notice: { kind: 'password' }, ...origin, language: 'zh-CN' });
    expect(mailText((await smtp.waitForMessage('alice@example.com')).raw)).toContain('密码已修改');
    const to = 'old@example.com';
    notifyPlayer({ playerId: 1, notice: { kind: 'email', email: 'new@example.com' }, ...origin, to });
    expect(mailText((await smtp.waitForMessage(to)).raw)).toContain('new@example.com');
  });

  test('when a password is reset by mail or changed, then the owner is notified; a mail server that refuses fails no request', async () => {
    const { app, smtp } = await start();
    await app.post('/api/send_code', { email: 'alice@example.com', purpose: 'reset' });
    const code = /\d{6}/.exec(mailText((await smtp.waitForMessage('alice@example.com')).raw))?.[0];
    const reset = { email: 'alice@example.com', code, password: 'Correct-Horse-43' };
    expect((await app.post('/api/reset_password', reset)).status).toBe(200);
    expect(mailText((await smtp.waitForMessage('alice@example.com')).raw)).toContain(
      'The password was changed',
    );
    smtp.setMode('refuse');
    const { token } = (await app.post('/api/login', { account: 'alice', password: reset.password })).body;
    const change = { old_password: reset.password, password: 'Correct-Horse-44' };
    expect((await app.post('/api/account/password', change, { token })).status).toBe(200);
    const log = () => readFileSync(join(app.folder, 'service.log'), 'utf8');
    await expect.poll(log).toContain('a notice mail could not be sent');
    expect(log()).not.toContain('alice@example.com');
  });

  test('when an operator resets the password or changes the address, then the owner is notified, without the operator’s address', async () => {
    const { app, smtp } = await start({ console: { require_totp: false } });
    const boss = await makeOperator(app);
    await boss.post('players/1/reset_password', { reason: 'lost' });
    const reset = mailText((await smtp.waitForMessage('alice@example.com')).raw);
    expect(reset).toContain('密码已修改');
    expect(reset).toContain('由客服操作');
    await boss.post('players/1/email', { email: 'new@example.com', reason: 'asked' });
    expect(mailText((await smtp.waitForMessage('alice@example.com')).raw)).toContain('new@example.com');
    await boss.post('players/1/email', { email: 'new@example.com', reason: 'again' });
    await app.features.notices.idle();
    expect(smtp.messages).toHaveLength(2);
  });

  test('when many withdrawals are made in a minute on two instances, then one mail reports them', async () => {
    const { app, smtp, url } = await start();
    const second = await startTestApp(url, { mail: { url: smtp.url } });
    const withdrawal = {
      kind: 'withdrawal',
      withdrawId: 'w-1',
      amount: 5,
      zone: '玄武门',
      role: 'Hero',
    } as const;
    const all = [app, second].map(({ features }) => features.notices);
    for (let i = 0; i < 5; i++)
      for (const { notifyPlayer } of all) notifyPlayer({ playerId: 1, notice: withdrawal, ...origin });
    await Promise.all(all.map(({ idle }) => idle()));
    expect(toldBy(smtp)).toHaveLength(1);
    expect(toldBy(smtp)[0]).toContain('w-1');
    await app.db.kysely
      .updateTable('player')
      .set({ withdrawal_told_at: Date.now() - 61_000 })
      .execute();
    app.features.notices.notifyPlayer({ playerId: 1, notice: withdrawal, ...origin });
    await app.features.notices.idle();
    expect(toldBy(smtp)).toHaveLength(2);
  });

  test('when currency is withdrawn, then a mail has its number; a repeated or refused request sends none', async () => {
    const smtp = await startMailServer();
    const app = await startWithdrawApp(await engine.freshUrl(), { settings: { mail: { url: smtp.url } } });
    const { player, body } = await addPlayerWithRole(app);
    await app.db.kysely.updateTable('player').set({ email: 'alice@example.com' }).execute();
    expect((await app.withdraw(player, { ...body, role: 'Nobody' })).status).toBe(404);
    const { body: done } = await app.withdraw(player, body, 'once');
    await expect.poll(() => smtp.messages).toHaveLength(1);
    await app.withdraw(player, body, 'once');
    await app.service.features.notices.idle();
    expect(toldBy(smtp)).toHaveLength(1);
    expect(toldBy(smtp)[0]).toContain(done.withdraw_id);
    expect(toldBy(smtp)[0]).toContain('“Hero of alice”');
  });

  test('when a player has no e-mail address, or mail.notices is off, then no mail is sent', async () => {
    const { app, smtp } = await start({ mail: { notices: false } });
    app.features.notices.notifyPlayer({ playerId: 1, notice: { kind: 'password' }, ...origin });
    await app.features.notices.idle();
    expect(smtp.messages).toEqual([]);
    const on = await start();
    await on.app.db.kysely.updateTable('player').set({ email: '' }).execute();
    on.app.features.notices.notifyPlayer({ playerId: 1, notice: { kind: 'password' }, ...origin });
    await on.app.features.notices.idle();
    expect(on.smtp.messages).toEqual([]);
  });
});

test.each(['en', 'zh-CN'])(
  'when a notice is written in %s, then text and HTML have the same content',
  (language) => {
    for (const notice of notices) {
      const mail = noticeMail({
        notice,
        account: 'alice',
        time: '2026-11-16 11:20:05 Asia/Shanghai',
        address: '203.0.113.5',
        language,
        brand: { name: 'Game & <Co>' },
        currency: 'yuanbao',
        notMeUrl: 'https://play.example.com/login?mode=reset',
        bindingsUrl: 'https://play.example.com/account/bindings',
      });
      expect(mail.subject).toContain('Game & <Co>');
      for (const part of ['alice', '203.0.113.5', 'https://play.example.com/login?mode=reset']) {
        expect(mail.text).toContain(part);
        expect(mail.html).toContain(part);
      }
      expect(mail.html).not.toContain('<b>Hero');
      expect(mail.html).not.toContain('<Co>');
      expect(mail.html).not.toContain('undefined');
    }
  },
);

test('when the mail server hangs or refuses, then requests continue, a log line says so without the address, and the queue is bounded', async () => {
  const held = Promise.withResolvers<void>();
  const warn = vi.fn();
  let dropped = 0;
  const recipient = async () => ({ account: 'alice', email: 'alice@example.com' });
  const queue = mailQueue({
    notices: { recipient, mayTellOfWithdrawal: async () => true },
    mailer: {
      async sendNotice() {
        await held.promise;
        throw Object.assign(new Error('550 <alice@example.com> unknown'), { code: 'EENVELOPE' });
      },
    },
    dropped: () => dropped++,
    settings: fixedSettings(
      parseSettings({ auth: { password_key: 'old-generation-key', jwt_secret: 'x'.repeat(32) } }),
    ),
    log: { warn },
  });
  const notify = (playerId: number) => queue.notify({ playerId, notice: { kind: 'password' }, ...origin });
  for (let i = 0; i < 60; i++) notify(1);
  // Two are being sent.
  expect(dropped).toBe(8);
  for (let i = 0; i < 2040; i++) notify(2 + i);
  expect(warn).toHaveBeenCalledTimes(98);
  expect(dropped).toBe(98);
  held.resolve();
  await queue.idle();
  expect(warn).toHaveBeenCalledTimes(2100);
  expect(warn).toHaveBeenLastCalledWith(
    { player_id: expect.any(Number), notice: 'password', why: 'EENVELOPE' },
    'a notice mail could not be sent',
  );
  expect(JSON.stringify(warn.mock.calls)).not.toContain('alice');
});
