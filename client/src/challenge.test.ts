import { createHash } from 'node:crypto';
import { createChallenge, verifySolution } from 'altcha-lib/v1';
import { expect, test } from 'vitest';
import { solveChallenge } from './challenge.ts';
import { sha256 } from './sha256.ts';

test('when texts of any length are hashed, then the results match Node’s', () => {
  for (let length = 0; length < 200; length++) {
    const text = new TextEncoder().encode('水'.repeat(length).slice(0, length));
    const words = [...sha256(text)].map((word) => (word >>> 0).toString(16).padStart(8, '0'));
    expect(words.join('')).toBe(createHash('sha256').update(text).digest('hex'));
  }
});

test('when ALTCHA makes a challenge, then it accepts the solution', async () => {
  const challenge = await createChallenge({ hmacKey: 'key', maxNumber: 3000, number: 2999 });
  const made = { ...challenge, maxnumber: 3000 };
  const solution = await solveChallenge(made);
  expect(await verifySolution(solution ?? '', 'key')).toBe(true);
  expect(await solveChallenge({ ...made, maxnumber: 2998 })).toBeNull();
  expect(await solveChallenge({ ...made, algorithm: 'SHA-512' })).toBeNull();
  expect(await solveChallenge(made, AbortSignal.abort())).toBeNull();
});
