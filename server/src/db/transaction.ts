import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import { classify, DatabaseUnavailable, isConnectionLost } from './errors.ts';
import type { Database } from './schema.ts';

export type TransactionWork<T> = (trx: Transaction<Database>) => Promise<T>;

const maxTries = 8;
const patienceMs = 8000;

/**
 * Runs the work in one transaction and repeats all of it when the database asks for that, so the work must
 * touch nothing but the database. A connection lost before COMMIT was sent has changed nothing and is repeated
 * too; one lost during COMMIT is not (see OutcomeUnknown).
 */
export async function runTransaction<T>(kysely: Kysely<Database>, work: TransactionWork<T>): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (let attempt = 1; ; attempt++) {
    try {
      return await kysely.transaction().execute(work);
    } catch (error) {
      const lost = isConnectionLost(error);
      if (!lost && classify(error) !== 'retry') throw error;
      if (attempt === maxTries || performance.now() > deadline) throw lost ? gaveUp(error) : error;
      await sleep(Math.random() * Math.min(200, 5 * 2 ** attempt));
    }
  }
}

function gaveUp(cause: unknown): DatabaseUnavailable {
  return new DatabaseUnavailable('the connection to the database broke again and again', { cause });
}
