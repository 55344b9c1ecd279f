import { randomBytes } from 'node:crypto';
import { startPlainForum } from '@gatehouse/simulators/forum/plain';
import { expect, onTestFinished, test } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import { startGatehouse } from '../../test-support/gatehouse.ts';
import { freePort } from '../../test-support/process.ts';
import { AUTHORIZE, BIND, person } from './support/forum-app.ts';
import { cookieWith, newBrowser } from './support/forum-browser.ts';

const TICKETS = 10;

describeOnEngines('two processes on one database', (engine) => {
  test('when tickets are used on both concurrently, then each logs in one, and one account is made', async () => {
    const port = await freePort();
    const publicUrl = `http://127.0.0.1:${port}`;
    const forum = await startPlainForum({ publicUrl, visitor: person(1) });
    onTestFinished(forum.stop);
    const shared = {
      public_url: publicUrl,
      forum: forum.settings,
      database: { url: await engine.freshUrl() },
      auth: { password_key: 'old-generation-key', jwt_secret: randomBytes(32).toString('hex') },
    };
    const one = await startGatehouse({ settings: { ...shared, port } });
    onTestFinished(() => one.stop());
    const two = await startGatehouse({ settings: shared });
    onTestFinished(() => two.stop());

    const exchange = async (url: string, ticket: string) => {
      const answer = await fetch(url + BIND, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie: cookieWith(ticket) },
        body: JSON.stringify({ ticket }),
      });
      return { status: answer.status, body: (await answer.json()) as { account?: string; token?: string } };
    };

    const accounts: (string | undefined)[] = [];
    let token = '';
    for (let id = 1; id <= TICKETS; id++) {
      forum.setVisitor(person(id, 'Same Name'));
      const { fragment } = await newBrowser().open(publicUrl + AUTHORIZE);
      const ticket = fragment.get('ticket') ?? '';
      const answers = await Promise.all(
        [one.url, two.url, one.url, two.url].map((url) => exchange(url, ticket)),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422]);
      const winner = answers.find(({ status }) => status === 201);
      accounts.push(winner?.body.account);
      token = winner?.body.token ?? '';
    }
    expect(new Set(accounts).size).toBe(TICKETS);

    forum.setVisitor(person(1, 'Same Name'));
    const { fragment } = await newBrowser().open(publicUrl + AUTHORIZE);
    expect(fragment.get('linked')).toBe('1');
    const elsewhere = await exchange(two.url, fragment.get('ticket') ?? '');
    expect(elsewhere).toMatchObject({ status: 200, body: { account: accounts[0] } });
    const headers = { authorization: `Bearer ${token}` };
    const mine = (await (await fetch(`${two.url}/api/bind`, { headers })).json()) as object;
    expect(mine).toMatchObject({ bindings: [{ connect_id: String(TICKETS) }] });
  });
});
