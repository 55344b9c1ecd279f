import { expect, test } from 'vitest';
import { createKeyedHash, timingSafeEqualText } from './keyed-hash.ts';

test('when texts are compared, then only equal ones are equal, whatever their lengths', () => {
  for (const text of ['', 'a', '123456', 'é']) expect(timingSafeEqualText(text, text)).toBe(true);
  for (const [presented, expected] of [
    ['123456', '123457'],
    ['', '123456'],
    ['123456', ''],
    ['12345', '123456'],
    ['1234567', '123456'],
    // Buffers of zeros stand in for texts of another length.
    ['\0', '\0\0'],
    ['e', 'é'],
  ] as const)
    expect(timingSafeEqualText(presented, expected)).toBe(false);
});

test('when secrets, purposes or parts differ, then so do the hashes, and all secrets together match either', () => {
  const [old, fresh] = [createKeyedHash(['old'], 'codes'), createKeyedHash(['fresh', 'old'], 'codes')];
  expect(fresh('a', 'b')).not.toBe(old('a', 'b'));
  expect(fresh.all('a', 'b')).toEqual([createKeyedHash(['fresh'], 'codes')('a', 'b'), old('a', 'b')]);
  expect(createKeyedHash(['old'], 'tickets')('a', 'b')).not.toBe(old('a', 'b'));
  expect(old('ab')).not.toBe(old('a', 'b'));
  expect(() => createKeyedHash([], 'codes')).toThrow(TypeError);
});
