import { hash } from 'node:crypto';
import { seededRandom } from '@gatehouse/simulators/random';
import { describe, expect, test } from 'vitest';
import { tempDir } from '../../../test-support/process.ts';
import { sharedRedisUrl } from '../../../test-support/shared-servers.ts';
import { freshBlock, freshName } from '../support/fresh.ts';
import { PASSWORD, startTestApp } from '../support/test-app.ts';
import { guess } from './guesses.ts';

/** `npm run test:hostile` guesses 100,000 times from 1,000 addresses. */
const load = { guesses: 2500, addresses: Array.from({ length: 60 }, freshBlock), random: seededRandom(7) };

describe.each(['memory', 'redis'])('guesses at one account, counted in %s', (store) => {
  test('when they come from many addresses in bursts of every size, then no more are judged than the limits allow', async () => {
    const app = await startTestApp(`sqlite:${tempDir('guesses')}/gatehouse.db`, {
      ...(store === 'redis' && { redis: { url: sharedRedisUrl() } }),
    });
    const account = freshName();
    const password_hash = hash('md5', `${PASSWORD}old-generation-key`);
    await app.db.kysely.insertInto('player').values({ account, password_hash }).execute();
    const result = await guess({ ...load, url: app.url, account, password: PASSWORD });
    expect(result.judged).toBe(100);
    expect(result.mostFromOne).toBeLessThanOrEqual(5);
    expect(result.rightOnes).toBeGreaterThan(50);
    expect(result.rightOnesJudged).toBe(0);
  });
});
