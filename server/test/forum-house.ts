import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type PlainForum, type PlainUser, startPlainForum } from '../../playground/src/forum/plain-forum.ts';
import { freePort } from '../../test-bench/process.ts';
import { type Browser, newBrowser } from './forum-browser.ts';
import { type House, openHouse } from './support/house.ts';

type Table = Record<string, unknown>;

export interface ForumHouse extends House {
  readonly forum: PlainForum;
  /** Goes to the forum as this visitor and comes back with a ticket. */
  ticket(visitor: PlainUser, options?: { browser?: Browser; provider?: string }): Promise<string>;
  /** The whole visit of somebody who asks for nothing but to be let in. */
  enter(visitor: PlainUser): Promise<{ status: number; token: string; account: string }>;
  login(visitor: PlainUser): string;
  log(): string;
}

export const AUTHORIZE = '/api/forumauth/authorize';
export const BIND = '/api/forumauth/bind';

/** Somebody at the plain forum. */
export const person = (id: unknown, name?: unknown): PlainUser => ({
  user: { id, ...(name !== undefined && { name }) },
});

/** The service with a plain OAuth 2.0 forum, or with the providers that `settings` makes of its URL. */
export async function openForumHouse(
  databaseUrl: string,
  settings: Table | ((publicUrl: string, plain: Table) => Promise<Table>) = {},
): Promise<ForumHouse> {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const forum = await startPlainForum({ publicUrl, visitor: person(1) });
  onTestFinished(forum.stop);
  const given = typeof settings === 'function' ? await settings(publicUrl, forum.settings) : settings;
  const house = await openHouse(databaseUrl, {
    port,
    public_url: publicUrl,
    forum: forum.settings,
    ...given,
  });

  function login(visitor: PlainUser): string {
    forum.setVisitor(visitor);
    return house.url + AUTHORIZE;
  }

  async function ticket(visitor: PlainUser, { browser = newBrowser(), provider = '' } = {}): Promise<string> {
    const { url, fragment } = await browser.open(`${login(visitor)}${provider && `?provider=${provider}`}`);
    const found = fragment.get('ticket');
    if (found === null) throw new Error(`there is no ticket in ${url}`);
    return found;
  }

  return {
    ...house,
    forum,
    login,
    ticket,
    async enter(visitor) {
      const { status, body } = await house.post(BIND, { ticket: await ticket(visitor) });
      return { status, token: body.token, account: body.account };
    },
    log: () => readFileSync(join(house.folder, 'service.log'), 'utf8'),
  };
}
