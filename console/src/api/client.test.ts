import { expect, test, vi } from 'vitest';
import { call } from './client.ts';

test('when a login needs a proof of work, then it is solved once and sent', async () => {
  const salt = 'salt?route=operator_login&expires=1&';
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${salt}7`)));
  const hash = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const challenge = { algorithm: 'SHA-256', challenge: hash, salt, maxnumber: 50, signature: 'signed' };
  const refused = () =>
    Response.json(
      { code: 'challenge_required', challenge },
      { status: 428, headers: { 'content-type': 'application/problem+json' } },
    );
  const fetched = vi.fn(async (_url: string, _request: RequestInit) => refused());
  vi.stubGlobal('fetch', fetched);
  const body = { name: 'olga', password: 'secret' };
  await expect(call('login', { body })).rejects.toThrow('challenge_required');
  const sent = fetched.mock.calls.map(([, { headers }]) => new Headers(headers).get('x-challenge-solution'));
  expect(sent).toHaveLength(2);
  expect(sent[0]).toBeNull();
  expect(JSON.parse(atob(sent[1] ?? ''))).toEqual({
    algorithm: 'SHA-256',
    challenge: hash,
    number: 7,
    salt,
    signature: 'signed',
  });
  vi.unstubAllGlobals();
});
