import { type Route, routes } from '@gatehouse/contract';
import { assert, assertFits, assertRefused, Note, type Probe } from './check.ts';
import type { Client } from './client.ts';

/** Checks what any client can see without an account. */
export function publicProbes({ send, url, isLocal }: Client): Probe[] {
  const fetched = async (route: Route) => {
    const answer = await send(route.path);
    assertFits(route, answer);
    const etag = answer.headers.get('etag');
    assert(etag !== null, `${route.path} has no ETag`);
    const again = await send(route.path, { headers: { 'if-none-match': etag } });
    assert(again.status === 304, `${route.path} answered ${again.status} instead of 304 to its own ETag`);
    return answer;
  };

  return [
    {
      name: 'ready',
      async run() {
        const answer = await send(routes.ready.path);
        assertFits(routes.ready, answer);
        assert(answer.status === 200, `${routes.ready.path} answered ${answer.status}: ${answer.text}`);
        return 'the service and its database answer';
      },
    },
    {
      name: 'server list',
      async run() {
        const { servers } = (await fetched(routes.serverList)).json as { servers: unknown[] };
        if (servers.length === 0) throw new Note('no zone yet; add one with: gatehouse zone add');
        return `${servers.length} zones`;
      },
    },
    {
      name: 'config',
      async run() {
        const { game } = (await fetched(routes.config)).json as { game: { name: string } };
        return game.name;
      },
    },
    {
      name: 'agreement',
      async run() {
        const { headers, text } = await fetched(routes.agreement);
        assert(headers.get('content-type')?.startsWith('text/html') === true, 'the agreement is not HTML');
        assert(text.length > 100, 'the agreement is empty');
        return `${text.length} characters`;
      },
    },
    {
      name: 'openapi',
      async run() {
        const { paths } = ((await send(routes.openapi.path)).json ?? {}) as { paths?: object };
        const missing = Object.values<Route>(routes).filter(
          ({ path }) => !(path.replaceAll(/:(\w+)/g, '{$1}') in (paths ?? {})),
        );
        assert(missing.length === 0, `not described: ${missing.map(({ path }) => path).join(', ')}`);
        return `${Object.keys(paths ?? {}).length} paths`;
      },
    },
    {
      name: 'guarded routes',
      async run() {
        const guarded = Object.values<Route>(routes).filter(({ auth }) => auth === 'player');
        for (const { method, path } of guarded) {
          const at = path.replace(/:\w+/, 'forum');
          const answer = await send(at, { method, token: 'forged.forged.forged' });
          assertRefused(at, answer, 401, 'invalid_token');
          assert(
            answer.headers.get('www-authenticate')?.startsWith('Bearer') === true,
            `${at}: no WWW-Authenticate`,
          );
        }
        return `${guarded.length} refuse a forged token`;
      },
    },
    {
      name: 'uniform errors',
      async run() {
        const nowhere = '/api/no_such_route';
        assertRefused(nowhere, await send(nowhere), 404, 'not_found');
        const { path } = routes.login;
        const wrongMethod = await send(path, { method: 'PUT' });
        assertRefused(`PUT ${path}`, wrongMethod, 405, 'method_not_allowed');
        assert(wrongMethod.headers.get('allow') === 'POST', `PUT ${path}: Allow is not POST`);
        assertRefused(path, await send(path, { method: 'POST', raw: '{' }), 400, 'invalid_request');
        return 'unknown route, wrong method, malformed JSON';
      },
    },
    {
      name: 'credentials',
      async run() {
        const { path } = routes.check;
        const answer = await send(path, { method: 'POST', body: { account: 'smoke', token: 'a.b.c' } });
        assertRefused(path, answer, 401, 'invalid_token');
        assert(answer.headers.get('cache-control') === 'no-store', `${path} may be cached`);
        return 'a made-up token is refused and not cached';
      },
    },
    {
      name: 'inner routes',
      async run() {
        const [metrics, link] = [routes.metrics.path, `${routes.link.path}?connect_id=smoke`];
        const answers = [await send(metrics), await send(link)];
        const open = answers.filter(({ status }) => status !== 403);
        if (open.length === 0) return 'metrics and game-server callbacks refuse this address';
        const found = `metrics ${answers[0]?.status}, link ${answers[1]?.status}`;
        if (isLocal) throw new Note(`${found}: open to this machine; try from another one too`);
        throw new Error(
          `${found}: open to this address; look at trust_proxy, metrics.ip and game_servers.ip`,
        );
      },
    },
    {
      name: 'playground',
      async run() {
        const { status } = await send('/playground/mail/messages.json');
        if (status === 404) return 'not there';
        if (isLocal) throw new Note('this is the playground');
        throw new Error(`${url.origin} runs the playground: anybody can read its mailbox`);
      },
    },
  ];
}
