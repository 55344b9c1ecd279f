import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { hmacSha256 } from './hmac-sha256.ts';

const byNode = (secret: string, text: string) =>
  createHmac('sha256', secret).update(text).digest('base64url');

describe('hmacSha256', () => {
  test('when a text of RFC 4231 is signed, then the result matches the RFC', () => {
    const expected = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
    const signed = hmacSha256('Jefe')('what do ya want for nothing?');
    expect(Buffer.from(signed, 'base64url').toString('hex')).toBe(expected);
  });

  test.each([1, 31, 32, 63, 64, 65, 200])(
    'when the key has %i bytes, then the result matches node:crypto',
    (length) => {
      const secret = 'k'.repeat(length);
      const sign = hmacSha256(secret);
      // Short after long: no bytes of an earlier text remain. The longest does not fit the first buffer.
      for (const text of ['', 'a', 'x'.repeat(63), 'y'.repeat(5000), 'z', '密码 ü', '密'.repeat(3000), 'b'])
        expect(sign(text)).toBe(byNode(secret, text));
    },
  );
});
