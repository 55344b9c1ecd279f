import { beforeEach, expect, test, vi } from 'vitest';

const jwt = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.sig`;
const started = (account: string, server_id: number | null) => ({
  token: jwt({ account }),
  token_type: 'Bearer' as const,
  expires_at: '2099-01-01T00:00:00.000Z',
  account,
  server_id,
});

async function freshSession() {
  vi.resetModules();
  return (await import('./session.ts')).session;
}

beforeEach(() => sessionStorage.clear());

test('when a player logs in, then the token is stored under CQ-TOKEN and a reload finds it', async () => {
  const session = await freshSession();
  session.start(started('li_bai', 3));
  expect(sessionStorage.getItem('CQ-TOKEN')).toBe(jwt({ account: 'li_bai' }));

  const reloaded = await freshSession();
  expect(reloaded.signedIn.value).toBe(true);
  expect(reloaded.account.value).toBe('li_bai');
  expect(reloaded.lastZone.value).toBe(3);
});

test('when the session ends, then nothing of it remains', async () => {
  const session = await freshSession();
  session.start(started('li_bai', 3));
  session.end();
  expect(session.signedIn.value).toBe(false);
  expect(session.lastZone.value).toBeNull();
  expect(sessionStorage).toHaveLength(0);
});

test('when the service ended the session, then the reason is known until the next login', async () => {
  const session = await freshSession();
  session.start(started('li_bai', 3));
  session.end({ kind: 'down' });
  expect(session.endedBy.value).toEqual({ kind: 'down' });
  session.start(started('li_bai', 3));
  expect(session.endedBy.value).toBeNull();
});

test('when another player without a zone logs in, then the previous player’s zone is forgotten', async () => {
  const session = await freshSession();
  session.start(started('li_bai', 3));
  session.start(started('du_fu', null));
  expect(session.lastZone.value).toBeNull();
});

test('when the account has characters beyond ASCII, then its name is decoded correctly', async () => {
  const session = await freshSession();
  session.start(started('李白', null));
  expect(session.account.value).toBe('李白');
});

test.each(['garbage', 'a.b.c', ''])(
  'when the stored token is %j, then the page does not fail',
  async (stored) => {
    sessionStorage.setItem('CQ-TOKEN', stored);
    expect((await freshSession()).account.value).toBe('');
  },
);

test('when the browser forbids storage, then the session lasts as long as the page', async () => {
  const refuse = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('denied', 'QuotaExceededError');
  });
  const session = await freshSession();
  session.start(started('li_bai', 3));
  refuse.mockRestore();
  expect(session.signedIn.value).toBe(true);
});

test('when a session is renewed, then it stays remembered only if it was, and another player’s stays as it is', async () => {
  const session = await freshSession();
  session.start(started('li_bai', 3), { remember: true });
  session.start({ ...started('li_bai', 3), token: jwt({ account: 'li_bai', ver: 1 }) });
  expect(localStorage.getItem('gatehouse.remembered')).toBe(jwt({ account: 'li_bai', ver: 1 }));

  sessionStorage.setItem('CQ-TOKEN', jwt({ account: 'du_fu' }));
  const other = await freshSession();
  other.start({ ...started('du_fu', 3), token: jwt({ account: 'du_fu', ver: 1 }) });
  expect(localStorage.getItem('gatehouse.remembered')).toBe(jwt({ account: 'li_bai', ver: 1 }));
  localStorage.removeItem('gatehouse.remembered');
});

test('when a remembered player opens a new tab, then the zone last entered is known, whatever another player entered', async () => {
  const token = jwt({ account: 'li_bai', exp: Date.parse('2099-01-01') / 1000 });
  const session = await freshSession();
  session.start({ ...started('li_bai', 3), token }, { remember: true });
  session.entered(5);

  sessionStorage.setItem('CQ-TOKEN', jwt({ account: 'du_fu' }));
  (await freshSession()).entered(9);

  sessionStorage.clear();
  const newTab = await freshSession();
  expect(newTab.account.value).toBe('li_bai');
  expect(newTab.lastZone.value).toBe(5);
  newTab.end();
  expect(localStorage).toHaveLength(0);
});
