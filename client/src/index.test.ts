import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createClient, GatehouseError, type Session, storedSession } from './index.ts';

const problem = (code: string, status: number, more: object = {}) =>
  new Response(
    JSON.stringify({ type: 'about:blank', title: '', status, detail: '', code, request_id: 'r', ...more }),
    {
      status,
      headers: { 'content-type': 'application/problem+json; charset=utf-8' },
    },
  );

const session: Session = {
  token: 'a.token.here',
  token_type: 'Bearer',
  expires_at: '2099-01-01T00:00:00.000Z',
  account: 'li_bai',
  server_id: 3,
};
const fetched = vi.fn<typeof fetch>();
const onSession = vi.fn<(to: Session | null, reason?: GatehouseError) => void>();
let api = createClient();
const login = () => api.login({ account: 'li_bai', password: 'moonlight' });

async function signIn() {
  fetched.mockResolvedValueOnce(Response.json(session));
  await login();
  fetched.mockClear();
  onSession.mockClear();
}

async function failure(call: Promise<unknown>): Promise<GatehouseError> {
  const error = await call.then(
    () => expect.unreachable('the call should fail'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(GatehouseError);
  return error as GatehouseError;
}

const unansweredUntilAborted: typeof fetch = (_url, init) =>
  new Promise((_resolve, reject) =>
    init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
  );

beforeEach(() => {
  vi.stubGlobal('fetch', fetched);
  api = createClient({ language: () => 'en', onSession });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  fetched.mockReset();
  onSession.mockReset();
});

describe('errors of calls', () => {
  test('when the service refuses, then the error has the code, status, problem and seconds to wait', async () => {
    const refused = problem('too_many_attempts', 429);
    refused.headers.set('retry-after', '42');
    fetched.mockResolvedValue(refused);
    expect(await failure(login())).toMatchObject({
      code: 'too_many_attempts',
      status: 429,
      retryAfter: 42,
      problem: { code: 'too_many_attempts' },
    });
  });

  test('when Retry-After is a date, then the error has the seconds until then', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1) });
    const refused = problem('registration_cap_reached', 429);
    refused.headers.set('retry-after', new Date(Date.now() + 90_000).toUTCString());
    fetched.mockResolvedValue(refused);
    expect(await failure(login())).toMatchObject({ retryAfter: 90 });
  });

  test('when a proxy answers HTML for a service that is down, then the error is service_unavailable', async () => {
    fetched.mockResolvedValue(
      new Response('<html>', { status: 502, headers: { 'content-type': 'text/html' } }),
    );
    expect(await failure(login())).toMatchObject({ code: 'unavailable', status: 502, problem: undefined });
  });

  test('when the network fails, or the answer is truncated or not JSON, then the service is unreachable', async () => {
    fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    expect(await failure(login())).toMatchObject({ code: 'unreachable', status: 0 });
    fetched.mockResolvedValueOnce(new Response('{"tok', { status: 200 }));
    expect(await failure(login())).toMatchObject({ code: 'unreachable', status: 200 });
    fetched.mockResolvedValueOnce(new Response('<html>', { headers: { 'content-type': 'text/html' } }));
    expect(await failure(login())).toMatchObject({ code: 'unreachable' });
  });

  test('when no answer comes within half a minute or the caller’s own limit, then the call times out', async () => {
    vi.useFakeTimers();
    fetched.mockImplementation(unansweredUntilAborted);
    const failed = failure(login());
    await vi.advanceTimersByTimeAsync(29_999);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await failed).toMatchObject({ code: 'timeout', status: 0 });
    const sooner = failure(api.config(undefined, { timeout: 10 }));
    await vi.advanceTimersByTimeAsync(10);
    expect((await sooner).code).toBe('timeout');
  });

  test('when the caller aborts, before or during the call, then the error is aborted', async () => {
    fetched.mockImplementation(unansweredUntilAborted);
    const aborting = new AbortController();
    const failed = failure(api.config(undefined, { signal: aborting.signal }));
    aborting.abort();
    expect((await failed).code).toBe('aborted');
    fetched.mockImplementation(async (_url, init) => {
      init?.signal?.throwIfAborted();
      return Response.json({});
    });
    expect((await failure(api.config(undefined, { signal: AbortSignal.abort() }))).code).toBe('aborted');
  });
});

describe('requests of calls', () => {
  const sent = () => {
    const [url, init] = fetched.mock.calls[0] ?? [];
    return { url: String(url), headers: new Headers(init?.headers), body: init?.body };
  };

  test('when a route is guarded, then the token is sent in a header and never in a URL', async () => {
    await signIn();
    fetched.mockResolvedValue(Response.json({ roles: [] }));
    await api.roles({ server_id: 3 });
    expect(sent().url).toBe('/api/game/roles?server_id=3');
    expect(sent().headers.get('authorization')).toBe('Bearer a.token.here');
    expect(sent().headers.get('accept-language')).toBe('en');
  });

  test('when a route is open, then the token is not sent', async () => {
    await signIn();
    fetched.mockResolvedValue(Response.json({ servers: [] }));
    await api.serverList();
    expect(sent().headers.has('authorization')).toBe(false);
  });

  test('when a promoter is known, then registration names it in the query', async () => {
    fetched.mockResolvedValue(Response.json(session));
    await api.register({ account: 'li_bai', password: 'x', email: 'a@b.cn', code: '1', agent_id: 'A&7' });
    expect(sent().url).toBe('/api/register?agent_id=A%267');
    expect(sent().body).toBe('{"account":"li_bai","password":"x","email":"a@b.cn","code":"1"}');
  });

  test('when a withdrawal is sent, then its idempotency key is sent with it', async () => {
    fetched.mockResolvedValue(Response.json({}));
    await api.withdraw({ server_id: 1, role: 2, amount: 3 }, { idempotencyKey: 'key-1' });
    expect(sent().headers.get('idempotency-key')).toBe('key-1');
    expect(sent().body).toBe('{"server_id":1,"role":2,"amount":3}');
  });

  test('when a provider has special characters, then it stays one path segment', async () => {
    fetched.mockResolvedValue(Response.json({ bindings: [] }));
    await api.unbind({ provider: 'a/b?c' });
    expect(sent().url).toBe('/api/bind/a%2Fb%3Fc');
  });

  test('when a route takes a body without fields, then an empty one is sent; other routes send none', async () => {
    await signIn();
    fetched.mockImplementation(async () => Response.json(session));
    await api.signOutEverywhere();
    expect(sent().body).toBe('{}');
    fetched.mockClear();
    await api.logout();
    expect(sent().body).toBeNull();
  });

  test('when the service is on another origin, then links and calls use it, and no redirect is followed', async () => {
    const far = createClient({ url: 'https://game.example/' });
    expect(far.url('authorize', { provider: 'forum', redirect: '/a?b' })).toBe(
      'https://game.example/api/forumauth/authorize?provider=forum&redirect=%2Fa%3Fb',
    );
    fetched.mockResolvedValue(Response.json({}));
    await far.config();
    expect(sent().url).toBe('https://game.example/api/config');
    expect(fetched.mock.calls[0]?.[1]?.redirect).toBe('error');
  });
});

describe('the signed-in player', () => {
  test('when a login succeeds, then the session is known until logout', async () => {
    expect(api.session).toBeNull();
    fetched.mockResolvedValueOnce(Response.json(session));
    await login();
    expect(api.session).toEqual(session);
    expect(onSession).toHaveBeenLastCalledWith(session, undefined);
    fetched.mockResolvedValueOnce(new Response(null, { status: 204 }));
    expect(await api.logout()).toBeUndefined();
    expect(api.session).toBeNull();
    expect(onSession).toHaveBeenLastCalledWith(null, undefined);
  });

  test.each(['invalid_token', 'account_suspended'])(
    'when a guarded route answers %s, then the session ends for that reason',
    async (code) => {
      await signIn();
      fetched.mockResolvedValue(problem(code, code === 'invalid_token' ? 401 : 403));
      await failure(api.bindings());
      expect(api.session).toBeNull();
      expect(onSession).toHaveBeenCalledExactlyOnceWith(null, expect.objectContaining({ code }));
    },
  );

  test('when the answer is for the token of an earlier session, then the current session continues', async () => {
    await signIn();
    const answer = Promise.withResolvers<Response>();
    fetched.mockReturnValueOnce(answer.promise);
    const late = failure(api.bindings());
    fetched.mockResolvedValueOnce(Response.json({ ...session, token: 'a.later.one' }));
    await login();
    answer.resolve(problem('invalid_token', 401));
    await late;
    expect(api.session?.token).toBe('a.later.one');
  });

  test('when a login is refused, then the session stays as it is', async () => {
    await signIn();
    fetched.mockResolvedValue(problem('account_suspended', 403));
    await failure(login());
    expect(api.session).toEqual(session);
  });

  test('when the password is right and a second factor is on, then the error has what the second step needs', async () => {
    fetched.mockResolvedValueOnce(problem('second_factor_required', 401, { challenge: 'opaque' }));
    const { code, secondFactorChallenge } = await failure(login());
    expect([code, secondFactorChallenge]).toEqual(['second_factor_required', 'opaque']);
  });

  test('when the session is stored, then a later client finds it until it expires', async () => {
    const kept = new Map<string, string>();
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    };
    api = createClient({ session: storedSession(storage) });
    expect(api.session).toBeNull();
    await signIn();
    expect(createClient({ session: storedSession(storage) }).session).toEqual(session);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2100, 0, 1) });
    expect(api.session).toBeNull();
    vi.useRealTimers();
    fetched.mockResolvedValueOnce(new Response(null, { status: 204 }));
    await api.logout();
    expect(createClient({ session: storedSession(storage) }).session).toBeNull();
  });
});
