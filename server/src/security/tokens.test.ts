import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTokens } from './tokens.ts';

const SECRET = 'a-secret-of-the-test-that-is-long-enough';
const NOW_S = 1_800_000_000;
const CLAIMS = { playerId: 42, account: 'Anna', version: 3 };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW_S * 1000 });
});

afterEach(() => {
  vi.useRealTimers();
});

function open(secrets: readonly string[] = [SECRET]) {
  const revoked = new Set<string>();
  return { revoked, ...createTokens({ secrets, isRevoked: (id) => revoked.has(id) }) };
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs with an independent implementation. */
function signed(payload: object, { secret = SECRET, header = { alg: 'HS256', typ: 'JWT' } as object } = {}) {
  const text = `${encoded(header)}.${encoded(payload)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

const PAYLOAD = {
  sub: '42',
  account: 'Anna',
  ver: 3,
  iss: 'gatehouse',
  jti: 'an-id',
  iat: NOW_S,
  exp: NOW_S + 60,
  aud: 'player',
};

test('when a session is issued, then it is valid for 24 hours and not a moment longer, also if it was verified before', () => {
  const { issue, verify } = open();
  const { token, expiresAt } = issue(CLAIMS);
  expect(expiresAt).toBe((NOW_S + 24 * 3600) * 1000);
  expect(verify(token)).toMatchObject({ ...CLAIMS, audience: 'player', expiresAt: NOW_S + 24 * 3600 });
  vi.setSystemTime(expiresAt - 1);
  expect(verify(token)).toBeDefined();
  expect(open().verify(token)).toBeDefined();
  vi.setSystemTime(expiresAt);
  expect(verify(token)).toBeUndefined();
  expect(open().verify(token)).toBeUndefined();
});

test('when an end is given, then the session and its game token end then', () => {
  const { issue, issueForGame, verify } = open();
  const { token } = issue(CLAIMS, NOW_S + 10);
  const session = verify(token);
  if (!session) throw new Error('it should be valid');
  const game = issueForGame(session);
  expect(verify(game)).toMatchObject({ ...CLAIMS, audience: 'game', sessionId: session.id });
  expect(verify(game)?.id).not.toBe(session.id);
  vi.setSystemTime((NOW_S + 10) * 1000);
  expect([verify(token), verify(game)]).toEqual([undefined, undefined]);
});

test('when a session is revoked, then it and its game token are refused, though both were verified before', () => {
  const { issue, issueForGame, verify, revoked } = open();
  const [session, other] = [issue(CLAIMS), issue(CLAIMS)].map(({ token }) => ({ token, ...verify(token) }));
  const game = issueForGame({ ...CLAIMS, id: session?.id ?? '', expiresAt: NOW_S + 60 });
  expect(verify(game)).toBeDefined();
  revoked.add(session?.id ?? '');
  expect([verify(session?.token ?? ''), verify(game)]).toEqual([undefined, undefined]);
  expect(verify(other?.token ?? '')).toBeDefined();
  revoked.clear();
  revoked.add(verify(game)?.id ?? '');
  expect(verify(game)).toBeUndefined();
  expect(verify(session?.token ?? '')).toBeDefined();
});

test('when the signature, the algorithm or the spelling is another, then the token is refused', () => {
  const { verify } = open();
  const token = signed(PAYLOAD);
  expect(verify(token)).toMatchObject(CLAIMS);
  const unsigned = `${encoded({ alg: 'none', typ: 'JWT' })}.${encoded(PAYLOAD)}.`;
  const last = token.at(-1) ?? '';
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const sameBits = alphabet[alphabet.indexOf(last) + 1] ?? '';
  for (const other of [
    signed(PAYLOAD, { secret: 'a-secret-that-nobody-has-configured-here' }),
    signed(PAYLOAD, { header: { alg: 'HS512', typ: 'JWT' } }),
    unsigned,
    `${token.slice(0, -1)}${sameBits}`,
    `${token}=`,
    ` ${token}`,
    token.slice(0, -1),
    '',
  ])
    expect(verify(other)).toBeUndefined();
});

test.each([
  ['sub', ['0', '042', '-1', '4.2', ' 42', '42 ', '12345678901234567', 42, null, undefined]],
  ['account', [null, 7, undefined]],
  ['ver', ['3', 3.5, null, undefined]],
  ['iss', ['another', null, undefined]],
  ['jti', [7, null, undefined]],
  ['exp', [NOW_S, NOW_S - 1, '1800000060', null, undefined]],
  ['sid', [7, null]],
  ['aud', ['operator', '', null, ['player']]],
])('when %s is not as this service writes it, then the token is refused', (claim, values) => {
  const { verify } = open();
  for (const value of values)
    expect(verify(signed({ ...PAYLOAD, [claim]: value })), String(value)).toBeUndefined();
});

test('when a token is from before audiences and sessions, then it is a session', () => {
  const { aud: _, ...payload } = PAYLOAD;
  expect(open().verify(signed({ ...payload, sub: '1234567890123456' }))).toEqual({
    playerId: 1_234_567_890_123_456,
    account: 'Anna',
    version: 3,
    id: 'an-id',
    sessionId: undefined,
    audience: 'player',
    expiresAt: NOW_S + 60,
  });
});

test('when a secret is replaced, then the first signs and all verify, and a removed one does not', () => {
  const fresh = 'the-secret-that-takes-over-from-the-other';
  const old = open().issue(CLAIMS).token;
  const both = open([fresh, SECRET]);
  const next = both.issue(CLAIMS).token;
  for (const token of [old, next, signed(PAYLOAD), signed(PAYLOAD, { secret: fresh })])
    expect(both.verify(token)).toMatchObject(CLAIMS);
  expect(open([fresh]).verify(next)).toMatchObject(CLAIMS);
  expect(open([fresh]).verify(old)).toBeUndefined();
  expect(open().verify(next)).toBeUndefined();
  expect(() => open([])).toThrow(TypeError);
});
