import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PlainForum, type PlainUser, startPlainForum } from '@gatehouse/simulators/forum/plain';
import { onTestFinished } from 'vitest';
import { freePort } from '../../../test-support/process.ts';
import type { Client } from './client.ts';
import { type Browser, cookieWith, newBrowser } from './forum-browser.ts';
import { startTestApp, type TestApp } from './test-app.ts';

type Table = Record<string, unknown>;

export interface ForumApp extends TestApp {
  readonly forum: PlainForum;
  /** Goes to the forum as this visitor and returns with a ticket. */
  ticket(visitor: PlainUser, options?: { browser?: Browser; provider?: string }): Promise<string>;
  /** Logs in with the forum as this visitor, creating an account if there is none. */
  enter(visitor: PlainUser): Promise<{ status: number; token: string; account: string }>;
  login(visitor: PlainUser): string;
  log(): string;
}

export const AUTHORIZE = '/api/forumauth/authorize';
export const BIND = '/api/forumauth/bind';

export const person = (id: unknown, name?: unknown): PlainUser => ({
  user: { id, ...(name !== undefined && { name }) },
});

/** Starts the service with a plain OAuth 2.0 forum, or with the providers that `settings` derives from its URL. */
export async function startForumApp(
  databaseUrl: string,
  settings: Table | ((publicUrl: string, plain: Table) => Promise<Table>) = {},
): Promise<ForumApp> {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const forum = await startPlainForum({ publicUrl, visitor: person(1) });
  onTestFinished(forum.stop);
  const given = typeof settings === 'function' ? await settings(publicUrl, forum.settings) : settings;
  const app = await startTestApp(databaseUrl, {
    port,
    public_url: publicUrl,
    forum: forum.settings,
    ...given,
  });

  function login(visitor: PlainUser): string {
    forum.setVisitor(visitor);
    return app.url + AUTHORIZE;
  }

  async function ticket(visitor: PlainUser, { browser = newBrowser(), provider = '' } = {}): Promise<string> {
    const { url, fragment } = await browser.open(`${login(visitor)}${provider && `?provider=${provider}`}`);
    const found = fragment.get('ticket');
    if (found === null) throw new Error(`there is no ticket in ${url}`);
    return found;
  }

  const client = withCookies(app);
  return {
    ...app,
    ...client,
    from: (address) => withCookies(app.from(address)),
    forum,
    login,
    ticket,
    async enter(visitor) {
      const { status, body } = await client.post(BIND, { ticket: await ticket(visitor) });
      return { status, token: body.token, account: body.account };
    },
    log: () => readFileSync(join(app.folder, 'service.log'), 'utf8'),
  };
}

/** Adds the cookie of the browser that returned with each ticket. */
function withCookies({ get, post, form, send }: Client): Client {
  return {
    get,
    form,
    send,
    post(path, body, options = {}) {
      const { ticket } = (body ?? {}) as { ticket?: unknown };
      if (path !== BIND || typeof ticket !== 'string') return post(path, body, options);
      return post(path, body, { ...options, headers: { cookie: cookieWith(ticket), ...options.headers } });
    },
  };
}
