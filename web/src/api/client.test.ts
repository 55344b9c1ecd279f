import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { api, connectApi } from './client.ts';
import { ApiError, type Failure } from './failure.ts';

const problem = (code: string, status: number, more: object = {}) =>
  new Response(
    JSON.stringify({ type: 'about:blank', title: '', status, detail: '', code, request_id: 'r', ...more }),
    {
      status,
      headers: { 'content-type': 'application/problem+json; charset=utf-8' },
    },
  );

const fetched = vi.fn<typeof fetch>();
const onSessionEnd = vi.fn<(failure: Failure) => void>();
const login = () => api.login({ account: 'li_bai', password: 'moonlight' });

async function failure(call: Promise<unknown>): Promise<Failure> {
  const error = await call.then(
    () => expect.unreachable('the call should fail'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ApiError);
  return (error as ApiError).failure;
}

const unansweredUntilAborted: typeof fetch = (_url, init) =>
  new Promise((_resolve, reject) =>
    init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
  );

beforeEach(() => {
  vi.stubGlobal('fetch', fetched);
  connectApi({ token: () => 'a.token.here', language: () => 'en', onSessionEnd });
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  fetched.mockReset();
  onSessionEnd.mockReset();
});

describe('what a failed call means', () => {
  test('when the service refuses, then the problem and the seconds to wait are known', async () => {
    const refused = problem('too_many_attempts', 429);
    refused.headers.set('retry-after', '42');
    fetched.mockResolvedValue(refused);
    expect(await failure(login())).toMatchObject({
      kind: 'refused',
      retryAfter: 42,
      problem: { code: 'too_many_attempts' },
    });
  });

  test('when Retry-After is a date, then it is seconds from now', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1) });
    const refused = problem('registration_cap_reached', 429);
    refused.headers.set('retry-after', new Date(Date.now() + 90_000).toUTCString());
    fetched.mockResolvedValue(refused);
    expect(await failure(login())).toMatchObject({ retryAfter: 90 });
  });

  test('when a proxy answers HTML for a dead service, then the service is down', async () => {
    fetched.mockResolvedValue(
      new Response('<html>', { status: 502, headers: { 'content-type': 'text/html' } }),
    );
    expect(await failure(login())).toEqual({ kind: 'down' });
  });

  test('when the service has a fault of its own, then it is down, not a refusal', async () => {
    fetched.mockResolvedValue(problem('internal', 500));
    expect(await failure(login())).toEqual({ kind: 'down' });
  });

  test('when mail cannot be sent, then that is said, although it is a 503', async () => {
    fetched.mockResolvedValue(problem('mail_unavailable', 503));
    expect(await failure(api.sendCode({ email: 'a@b.cn' }))).toMatchObject({
      problem: { code: 'mail_unavailable' },
    });
  });

  test('when the network fails or the answer is cut, then the player is offline', async () => {
    fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    expect(await failure(login())).toEqual({ kind: 'offline' });
    fetched.mockResolvedValueOnce(new Response('{"tok', { status: 200 }));
    expect(await failure(login())).toEqual({ kind: 'offline' });
  });

  test('when nothing comes back for half a minute, then the player is offline', async () => {
    const timedOut = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timedOut.signal);
    fetched.mockImplementation(unansweredUntilAborted);
    const failed = failure(login());
    timedOut.abort();
    expect(await failed).toEqual({ kind: 'offline' });
    expect(timeout).toHaveBeenCalledExactlyOnceWith(30_000);
  });
});

describe('what a call sends', () => {
  const sent = () => {
    const [url, init] = fetched.mock.calls[0] ?? [];
    return { url: String(url), headers: new Headers(init?.headers), body: init?.body };
  };

  test('when a route is guarded, then the token goes in the header and in no URL', async () => {
    fetched.mockResolvedValue(Response.json({ roles: [] }));
    await api.roles(3);
    expect(sent().url).toBe('/api/game/roles?server_id=3');
    expect(sent().headers.get('authorization')).toBe('Bearer a.token.here');
  });

  test('when a route is open, then the token is not sent', async () => {
    fetched.mockResolvedValue(Response.json({ servers: [] }));
    await api.zones();
    expect(sent().headers.has('authorization')).toBe(false);
  });

  test('when a promoter is known, then registration names it in the query', async () => {
    fetched.mockResolvedValue(Response.json({}));
    await api.register({ account: 'li_bai', password: 'x', email: 'a@b.cn', code: '1' }, 'A&7');
    expect(sent().url).toBe('/api/register?agent_id=A%267');
  });

  test('when a withdrawal is sent, then its key goes along', async () => {
    fetched.mockResolvedValue(Response.json({}));
    await api.withdraw({ server_id: 1, role: 2, amount: 3 }, 'key-1');
    expect(sent().headers.get('idempotency-key')).toBe('key-1');
    expect(sent().body).toBe('{"server_id":1,"role":2,"amount":3}');
  });

  test('when a provider has odd characters, then it stays one path segment', async () => {
    fetched.mockResolvedValue(Response.json({ bindings: [] }));
    await api.unbind('a/b?c');
    expect(sent().url).toBe('/api/bind/a%2Fb%3Fc');
  });
});

describe('the end of a session', () => {
  test.each(['invalid_token', 'account_suspended'])(
    'when a guarded route says %s, then the session ends for that reason',
    async (code) => {
      fetched.mockResolvedValue(problem(code, code === 'invalid_token' ? 401 : 403));
      await failure(api.bindings());
      expect(onSessionEnd).toHaveBeenCalledExactlyOnceWith(
        expect.objectContaining({ problem: expect.objectContaining({ code }) }),
      );
    },
  );

  test('when the answer is about the token of an earlier session, then the one since then goes on', async () => {
    let token: string | null = 'earlier.token.here';
    connectApi({ token: () => token, language: () => 'en', onSessionEnd });
    fetched.mockResolvedValue(problem('invalid_token', 401));
    const late = failure(api.logout());
    token = 'later.token.here';
    await late;
    expect(onSessionEnd).not.toHaveBeenCalled();
  });

  test('when a login is refused, then the session is not touched', async () => {
    fetched.mockResolvedValue(problem('account_suspended', 403));
    await failure(login());
    expect(onSessionEnd).not.toHaveBeenCalled();
  });
});
