import fc from 'fast-check';
import type { Transaction } from 'kysely';
import { expect, test } from 'vitest';
import { describeOnEngines } from '../../../test-support/engines.ts';
import { classify } from '../../src/db/errors.ts';
import type { Db } from '../../src/db/open.ts';
import type { Database } from '../../src/db/schema.ts';
import { accountKey } from '../../src/security/account-key.ts';
import { migrated } from './opened.ts';

const tricky = 'A|z|Z| |\t|\n|\u00a0|\u3000|İ|ı|\u212a|ß|ẞ|é|e\u0301|Ａ|ａ|ſ|Σ|ς|\0|😀|\'|"|\\|%|_'.split(
  '|',
);
const account = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 64 }),
  fc.string({ unit: fc.constantFrom(...tricky), maxLength: 32 }),
  fc.stringMatching(/^ {0,2}[a-zA-Z ]{0,8} {0,2}$/),
);

test('when a name is folded, then only ASCII letters and outer spaces change', () => {
  expect(accountKey('  Bob Z ')).toBe('bob z');
  expect(accountKey('\tİSTANBUL\u212a ')).toBe('\tİstanbul\u212a');
  expect(accountKey('   ')).toBe('');
});

describeOnEngines('the account key', (engine) => {
  test('when any account is stored, then the database derives the same key as our code', async () => {
    const db = await migrated(engine);
    const holds = fc.asyncProperty(account, (name) =>
      undone(db, async (trx) => {
        await trx.insertInto('player').values({ account: name }).execute();
        const stored = await trx
          .selectFrom('player')
          .select(['account', 'account_key'])
          .where('account_key', '=', accountKey(name))
          .execute();
        expect(stored).toEqual([{ account: name, account_key: accountKey(name) }]);
      }),
    );
    await fc.assert(holds, { numRuns: 300 });
  });

  test('when two accounts are stored, then they conflict exactly if their keys are equal', async () => {
    const db = await migrated(engine);
    const respelled = account.chain((name) =>
      fc.tuple(
        fc.constant(name),
        fc.constantFrom(
          name.toUpperCase(),
          name.toLowerCase(),
          ` ${name} `,
          `${name}\t`,
          name.normalize('NFD'),
        ),
      ),
    );
    const holds = fc.asyncProperty(respelled, ([first, second]) =>
      undone(db, async (trx) => {
        fc.pre([...second].length <= 64);
        await trx.insertInto('player').values({ account: first }).execute();
        const clash = await trx
          .insertInto('player')
          .values({ account: second })
          .execute()
          .then(
            () => false,
            (error) => classify(error) === 'duplicate',
          );
        expect(clash).toBe(accountKey(first) === accountKey(second));
      }),
    );
    await fc.assert(holds, { numRuns: 300 });
  });
});

class Undone extends Error {}

/** Rolls the work back, which saves a commit for each of many runs. */
async function undone(db: Db, work: (trx: Transaction<Database>) => Promise<void>): Promise<void> {
  const outcome = db.transaction(async (trx) => {
    await work(trx);
    throw new Undone();
  });
  await outcome.catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error;
  });
}
