import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import { classify, DatabaseUnavailable, isConnectionLost } from './errors.ts';
import type { Database } from './schema.ts';

export type Trx = Transaction<Database>;

export type TransactionWork<T> = (trx: Trx) => Promise<T>;

/**
 * Runs the work in one transaction and repeats it if nothing has happened (see classify), so the work must have no side effects
 * outside the database. A connection lost before COMMIT has changed nothing, so the work is repeated; one lost during COMMIT is
 * not (see OutcomeUnknown).
 */
export async function runTransaction<T>(
  kysely: Kysely<Database>,
  repeatMs: number,
  work: TransactionWork<T>,
): Promise<T> {
  try {
    return await repeatWhile(nothingHappened, repeatMs, () => kysely.transaction().execute(work));
  } catch (error) {
    if (!isConnectionLost(error)) throw error;
    throw new DatabaseUnavailable('the connection to the database broke repeatedly', { cause: error });
  }
}

/** A transaction, and a query that tells whether it took effect. */
export interface VerifiableChange {
  readonly work: TransactionWork<void>;
  readonly wasApplied: () => Promise<boolean>;
}

/** Runs one transaction. If its COMMIT was not confirmed, `wasApplied` decides; it is never blindly repeated. */
export async function verifiedTransaction(
  db: { transaction(work: TransactionWork<void>): Promise<void> },
  { work, wasApplied }: VerifiableChange,
): Promise<void> {
  try {
    await db.transaction(work);
  } catch (error) {
    if (classify(error) !== 'outcome_unknown') throw error;
    // If that cannot be read either, the outcome stays unknown.
    if (!(await wasApplied().catch(() => false))) throw error;
  }
}

function nothingHappened(error: unknown): boolean {
  return isConnectionLost(error) || classify(error) === 'retry';
}

const maxTries = 40;

/** Retries with increasing delay while the error says that nothing has happened yet. */
export async function repeatWhile<T>(
  nothingHappened: (error: unknown) => boolean,
  timeoutMs: number,
  attempt: () => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!nothingHappened(error) || tries === maxTries || performance.now() > deadline) throw error;
      await sleep(Math.random() * Math.min(400, 5 * 2 ** tries));
    }
  }
}
