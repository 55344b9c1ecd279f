import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSmtp } from '../../test-support/smtp.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { parseTraceparent } from '../src/runtime/trace.ts';
import { AUTHORIZE, startForumApp } from './support/forum-app.ts';
import { makeOperator } from './support/operator.ts';
import { startTestApp, type TestApp } from './support/test-app.ts';
import { startReceiver } from './support/webhook-receiver.ts';

// The GM command is tested in server/test/withdraw-gm.test.ts, nginx in server/test/nginx.test.ts.

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const traceparent = `00-${TRACE}-${SPAN}-01`;
/** The test's own address is a trusted proxy, whose request id is taken over. */
const ids = { 'x-request-id': '5b0c91fe6a3d4c2f8e7d1a2b3c4d5e6f', traceparent };
/** The same trace, with its own span. */
const CHILD = new RegExp(`^00-${TRACE}-(?!${SPAN})[0-9a-f]{16}-01$`);

const linesOf = ({ folder }: Pick<TestApp, 'folder'>) =>
  readFileSync(join(folder, 'service.log'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

test.each([
  [traceparent, traceparent],
  [`00-${TRACE}-${SPAN}-00`, `00-${TRACE}-${SPAN}-00`],
  // Flags that are not defined are cleared, and fields of later versions left out.
  [`00-${TRACE}-${SPAN}-ff`, `00-${TRACE}-${SPAN}-03`],
  [`cc-${TRACE}-${SPAN}-01-later`, traceparent],
  [`ff-${TRACE}-${SPAN}-01`, undefined],
  [`00-${TRACE}-${SPAN}-01-later`, undefined],
  [`cc-${TRACE}-${SPAN}-01later`, undefined],
  [`00-${'0'.repeat(32)}-${SPAN}-01`, undefined],
  [`00-${TRACE}-${'0'.repeat(16)}-01`, undefined],
  [traceparent.toUpperCase(), undefined],
  [`${traceparent}, ${traceparent}`, undefined],
  [`${traceparent}\n`, undefined],
  ['', undefined],
  [undefined, undefined],
])('when the header is %o, then its trace is %o', (header, parsed) => {
  expect(parseTraceparent(header)).toBe(parsed);
});

test('when requests carry a trace, then their log lines, mails and webhooks have it', async () => {
  const smtp = await startSmtp();
  onTestFinished(smtp.stop);
  const app = await startTestApp(freshSqlite(), {
    mail: { url: smtp.url },
    console: { require_totp: false },
    webhooks: { private: true },
  });
  const receiver = await startReceiver();
  const boss = await makeOperator(app);
  await boss.post('webhooks', { url: receiver.url, events: ['player.banned'] });

  const email = 'wanderer@example.com';
  await app.post('/api/send_code', { email }, { headers: ids });
  const codeMail = await smtp.waitForMessage(email);
  const headerOf = (raw: string, name: string) =>
    new RegExp(`^${name}: (.*)\r$`, 'im').exec(raw.replaceAll('\r\n ', ' '))?.[1];
  expect(headerOf(codeMail.raw, 'traceparent')).toMatch(CHILD);
  expect(headerOf(codeMail.raw, 'x-request-id')).toBe(ids['x-request-id']);

  await app.db.kysely
    .insertInto('player')
    .values({ id: 1, account: 'alice', email: 'a@example.com' })
    .execute();
  await boss.post('players/1/reset_password', { reason: 'lost' }, { headers: ids });
  const notice = await smtp.waitForMessage('a@example.com');
  expect(headerOf(notice.raw, 'traceparent')).toMatch(CHILD);
  await boss.post('players/1/ban', { reason: 'bot' }, { headers: ids });
  await expect.poll(() => receiver.received.length).toBe(1);
  expect(receiver.received[0]?.headers).toMatchObject({
    traceparent: expect.stringMatching(CHILD),
    'x-request-id': ids['x-request-id'],
  });
  await expect
    .poll(() => linesOf(app).filter((line) => line.traceparent === traceparent))
    .toMatchObject([
      { path: '/api/send_code', request_id: ids['x-request-id'] },
      { path: '/api/admin/players/1/reset_password' },
      { path: '/api/admin/players/1/ban' },
    ]);
});

test('when a forum login carries a trace, then the calls to the provider have it', async () => {
  const provider = await startReceiver();
  provider.answer = (response) => response.end('{"access_token":"t","id":7,"user":{"id":7}}');
  const app = await startForumApp(freshSqlite(), async (_url, plain) => ({
    forum: { ...plain, token_url: provider.url, userinfo_url: provider.url },
  }));
  const start = await app.get(AUTHORIZE);
  const state = new URL(start.headers.get('location') ?? '').searchParams.get('state');
  const [cookie = ''] = start.headers.getSetCookie().map((each) => each.split(';')[0] ?? '');
  await app.get(`/api/forumauth/callback?code=c&state=${state}`, { headers: { ...ids, cookie } });
  expect(provider.received).toHaveLength(2);
  for (const { headers } of provider.received) {
    expect(headers).toMatchObject({
      traceparent: expect.stringMatching(CHILD),
      'x-request-id': ids['x-request-id'],
    });
  }
  const [first, second] = provider.received.map(({ headers }) => headers.traceparent);
  expect(first).not.toBe(second);
});
