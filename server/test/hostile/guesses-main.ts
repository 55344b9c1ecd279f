import { hash } from 'node:crypto';
import { join } from 'node:path';
import { seededRandom } from '@gatehouse/simulators/random';
import { startGatehouse } from '../../../test-support/gatehouse.ts';
import { tempDir } from '../../../test-support/process.ts';
import { startRedis } from '../../../test-support/redis.ts';
import { openDatabase } from '../../src/db/open.ts';
import { type GuessResult, guess } from './guesses.ts';
import { showPercent } from './progress.ts';

const PASSWORD_KEY = 'old-generation-key';
const [account, password] = ['Guessed', 'the right password'];
const ADDRESSES = 1000;
/** The default limits. */
const limits = { account: 100, pair: 5 };

/**
 * Guesses at one account with two workers, counted in memory and in Redis. Returns true if no more were judged than the limits
 * allow.
 */
export async function runGuesses(guesses: number, seed: number): Promise<boolean> {
  const redis = await startRedis();
  let clean = true;
  for (const [name, settings] of Object.entries({ memory: {}, Redis: { redis: { url: redis.url } } })) {
    const result = await guessWith(settings, { guesses, seed, name });
    const { judged, mostFromOne, refused, rightOnes, rightOnesJudged } = result;
    clean &&= judged <= limits.account && mostFromOne <= limits.pair && rightOnesJudged === 0;
    console.log(
      `${guesses} guesses from ${ADDRESSES} addresses, counted in ${name}: ${judged} judged (limit ${limits.account}), at most ${mostFromOne} of one address (limit ${limits.pair}), ${refused} refused; ${rightOnes} right ones beyond the limit, ${rightOnesJudged} of them let in`,
    );
  }
  await redis.stop();
  return clean;
}

async function guessWith(
  settings: object,
  { guesses, seed, name }: { guesses: number; seed: number; name: string },
): Promise<GuessResult> {
  const url = `sqlite:${join(tempDir('guesses'), 'gatehouse.db')}`;
  const service = await startGatehouse({
    args: ['--workers', '2'],
    settings: {
      ...settings,
      trust_proxy: ['127.0.0.1'],
      auth: { password_key: PASSWORD_KEY },
      database: { url },
      log: { level: 'error' },
    },
  });
  const db = await openDatabase(url);
  const password_hash = hash('md5', password + PASSWORD_KEY);
  await db.kysely.insertInto('player').values({ account, password_hash }).execute();
  await db.close();
  const addresses = Array.from({ length: ADDRESSES }, (_, index) => `198.18.${index >> 8}.${index & 255}`);
  const onProgress = showPercent(`guesses, ${name}`, guesses);
  try {
    return await guess({
      url: service.url,
      account,
      password,
      addresses,
      guesses,
      random: seededRandom(seed),
      onProgress,
    });
  } finally {
    await service.stop();
  }
}
