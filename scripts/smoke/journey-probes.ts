import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AnswerOf, type ListedZone, type Route, routes } from '@gatehouse/contract';
import { assert, assertFits, Note, type Probe } from './check.ts';
import type { Client, RequestOptions } from './client.ts';

/** A new account, or one that the operator keeps for this purpose. */
export type Visitor = 'new' | { readonly account: string; readonly password: string };

const MAIL_TIMEOUT_MS = 10_000;

/** Covers the path from registration or login into a zone. Deducts no currency. */
export function journeyProbes(client: Client, visitor: Visitor): Probe[] {
  let token = '';
  let zone: ListedZone | undefined;

  async function call<R extends Route>(
    route: R,
    options: RequestOptions = {},
    query = '',
  ): Promise<AnswerOf<R>> {
    const answer = await client.send(route.path + query, { method: route.method, ...options });
    assertFits(route, answer);
    return answer.json as AnswerOf<R>;
  }

  async function register(): Promise<string> {
    const name = `smoke_${randomBytes(5).toString('hex')}`;
    const email = `${name}@example.com`;
    const mailbox = await client.send('/playground/mail/messages.json');
    assert(mailbox.status === 200, 'there is no mailbox to read a code in; use --account NAME instead');
    await call(routes.sendCode, { body: { email } });
    const code = await codeFor(email);
    const password = randomBytes(12).toString('base64url');
    ({ token } = await call(routes.register, { body: { account: name, password, email, code } }));
    return name;
  }

  async function codeFor(email: string): Promise<string> {
    for (const deadline = Date.now() + MAIL_TIMEOUT_MS; Date.now() < deadline; await sleep(250)) {
      const { json } = await client.send('/playground/mail/messages.json');
      const { messages } = json as { messages: { to: string; code: string }[] };
      const mail = messages.find(({ to }) => to === email);
      if (mail) return mail.code;
    }
    throw new Error(`no code arrived for ${email}`);
  }

  return [
    {
      name: visitor === 'new' ? 'register' : 'log in',
      async run() {
        if (visitor === 'new') return register();
        ({ token } = await call(routes.login, { body: visitor }));
        return visitor.account;
      },
    },
    {
      name: 'enter a zone',
      async run() {
        assert(token !== '', 'nobody is logged in');
        const { servers } = await call(routes.serverList);
        const isOpen = ({ opened_at }: ListedZone) =>
          opened_at === null || Date.parse(opened_at) < Date.now();
        zone = servers.find((each) => ['open', 'new', 'busy'].includes(each.status) && isOpen(each));
        if (!zone) throw new Note('no zone is open');
        const entry = await call(routes.enterGame, { token, body: { server_id: zone.server_id } });
        const { account, token: handed } = entry;
        const { valid } = await call(routes.check, { body: { account, token: handed } });
        assert(valid, 'the token that was handed out is not valid');
        return `${zone.name}; the game token is good`;
      },
    },
    {
      name: 'roles',
      async run() {
        assert(token !== '', 'nobody is logged in');
        if (!zone) throw new Note('no zone is open');
        const { roles } = await call(routes.roles, { token }, `?server_id=${zone.server_id}`);
        return `the game database answers; ${roles.length} roles`;
      },
    },
  ];
}
