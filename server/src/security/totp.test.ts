import { expect, test } from 'vitest';
import { base32, newTotpSecret, otpauthUrl, totpStep } from './totp.ts';

/** The key of RFC 6238's test vectors, `12345678901234567890`. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test.each([
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])(
  'when the time is %i s, then the code of RFC 6238 is right, also one step later or earlier, and no other',
  (second, code) => {
    const step = Math.floor(second / 30);
    const stepAt = (at: number) => totpStep(SECRET, code, at * 1000);
    expect(stepAt(second)).toBe(step);
    const begin = step * 30;
    expect([stepAt(begin - 30), stepAt(begin + 59.999)]).toEqual([step, step]);
    expect([stepAt(begin - 30.001), stepAt(begin + 60)]).toEqual([undefined, undefined]);
    for (const other of [code.slice(1), `${code}0`, ` ${code}`, '000000', ''])
      expect(totpStep(SECRET, other, second * 1000)).toBeUndefined();
  },
);

test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('when %j is encoded, then it is the base32 of RFC 4648 without padding', (text, encoded) => {
  expect(base32(Buffer.from(text))).toBe(encoded);
});

test('when a secret is made, then it has 160 bits and is another each time', () => {
  const secrets = [newTotpSecret(), newTotpSecret()];
  for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(secrets[0]).not.toBe(secrets[1]);
});

test('when an authenticator is set up, then its URL names the issuer and the account without plus signs', () => {
  expect(otpauthUrl({ secret: SECRET, issuer: 'Jade Realm', account: 'a b@c' })).toBe(
    `otpauth://totp/Jade%20Realm:a%20b%40c?secret=${SECRET}&issuer=Jade%20Realm&algorithm=SHA1&digits=6&period=30`,
  );
});
