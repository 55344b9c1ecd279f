import { routes } from '@gatehouse/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { originOf } from '../../http/input.ts';
import { answered, mount } from '../../http/mount.ts';
import { countOutcomes } from '../../http/outcomes.ts';
import { Refusal } from '../../refusal.ts';
import { bind } from './bind.ts';
import { listBindings, unbind } from './bindings.ts';
import type { ForumDeps } from './deps.ts';
import { TICKET_LIFETIME_S } from './game-server.ts';
import {
  authorize,
  type CallbackResult,
  callback,
  cookieNames,
  isStateCookie,
  OAUTH_STATE_LIFETIME_S,
  openOAuthState,
  sealOAuthState,
} from './oauth.ts';

const COOKIE_PATH = '/api/forumauth';
const MAX_ATTEMPTS = 4;

export function forumRoutes(app: FastifyInstance, deps: ForumDeps): void {
  const publicUrl = deps.settings.current.public_url;
  const cookie = {
    path: COOKIE_PATH,
    httpOnly: true,
    sameSite: 'lax',
    secure: publicUrl.startsWith('https:'),
  } as const;

  const start = authorize(deps);
  mount(app, routes.authorize, async ({ query, request, reply }) => {
    try {
      const { location, attempt } = await start(query);
      clearExcessCookies(request, reply);
      reply.setCookie(cookieNames.state(attempt.state), sealOAuthState(deps.signOAuthState, attempt), {
        ...cookie,
        maxAge: OAUTH_STATE_LIFETIME_S,
      });
      return leave(reply, location);
    } catch (error) {
      // The player followed a link: show the login page with the reason instead of a problem document.
      const shown = error instanceof Refusal && error.code === 'forum_unavailable' && wantsPage(request);
      if (!shown) throw error;
      return leave(reply, loginPage(publicUrl, { error: 'forum_unavailable' }));
    }
  });

  const finish = callback(deps);
  mount(app, routes.callback, async ({ query, context, request, reply }) => {
    const state = text(query.state) ?? '';
    const name = cookieNames.state(state);
    const sealed = request.cookies[name];
    const attempt = openOAuthState(deps.signOAuthState, sealed, state);
    const answer = { code: text(query.code), error: text(query.error), iss: text(query.iss) };
    const result = await finish(answer, attempt, context.address);
    if (sealed !== undefined && isStateCookie(name)) reply.clearCookie(name, cookie);
    if ('ticket' in result)
      reply.setCookie(cookieNames.ticket(result.ticket), result.browserKey, {
        ...cookie,
        maxAge: TICKET_LIFETIME_S,
      });
    return leave(reply, loginPage(publicUrl, result, attempt?.redirect));
  });

  const { countLogin, countRegistration } = deps.metrics;
  const exchange = countOutcomes(bind(deps), (outcome) => countLogin('forum', outcome));
  mount(app, routes.forumBind, async (input) => {
    const { body, request, reply } = input;
    const name = cookieNames.ticket(body.ticket);
    const browserKey = request.cookies[name] ?? '';
    const { session, registered } = await exchange(body, { ...originOf(input), browserKey });
    if (registered) countRegistration('forum', 'success');
    reply.clearCookie(name, cookie);
    return answered(registered ? 201 : 200, session);
  });

  const list = listBindings(deps);
  mount(app, routes.bindings, ({ identity }) => list(identity.playerId));

  const remove = unbind(deps);
  mount(app, routes.unbind, (input) =>
    remove(input.identity.playerId, input.params.provider, originOf(input)),
  );
}

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** Clears the cookies of unfinished attempts, so that they do not accumulate in the browser. */
function clearExcessCookies(request: FastifyRequest, reply: FastifyReply): void {
  const started = Object.keys(request.cookies).filter(isStateCookie);
  if (started.length < MAX_ATTEMPTS) return;
  for (const name of started) reply.clearCookie(name, { path: COOKIE_PATH });
}

const wantsPage = ({ headers }: FastifyRequest) => (headers.accept ?? '').includes('text/html');

/** Puts the ticket into the fragment, which browsers send to no server. */
function loginPage(publicUrl: string, result: CallbackResult, redirect?: string): string {
  const url = new URL('/login', publicUrl);
  if ('error' in result) url.searchParams.set('error', result.error);
  else {
    const { ticket, linked, name } = result;
    url.hash = new URLSearchParams({
      ticket,
      linked: linked ? '1' : '0',
      // Show players which identity they are about to link.
      ...(!linked && name !== null && { name }),
      ...(redirect !== undefined && { redirect }),
    }).toString();
  }
  return url.href;
}

function leave(reply: FastifyReply, location: string): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .redirect(location, 302);
}
