import { sql } from 'kysely';
import { compiledOnce, lookup } from '../../db/lookup.ts';
import type { Db } from '../../db/open.ts';
import type { Trx } from '../../db/transaction.ts';
import { insertedNew } from '../../db/unchanged.ts';
import { accountKey } from '../../security/account-key.ts';
import type { KeyedHash } from '../../security/keyed-hash.ts';

const REGISTRATIONS = 'registrations';

/** Counts the registrations of each day. */
export function registrationStore(db: Db) {
  const { kysely } = db;
  const counterOf = lookup(
    db,
    (days: string[]) =>
      kysely
        .selectFrom('day_counter')
        .select(['day', 'n'])
        .where('name', '=', sql.lit(REGISTRATIONS))
        .where('day', 'in', days),
    (row) => row.day,
  );
  const countUp = compiledOnce(
    (day: string, cap: number) =>
      kysely
        .updateTable('day_counter')
        .set(({ eb }) => ({ n: eb('n', '+', sql.lit(1)) }))
        .where('name', '=', sql.lit(REGISTRATIONS))
        .where('day', '=', day)
        .where('n', '<', cap),
    2,
  );
  let openedDay = '';

  return {
    /** Creates the day's counter, so that counting is one conditional update. */
    async openDay(day: string): Promise<void> {
      if (day === openedDay) return;
      await insertedNew(kysely.insertInto('day_counter').values({ name: REGISTRATIONS, day, n: 0 }));
      openedDay = day;
    },

    async countOf(day: string): Promise<number> {
      const row = await counterOf(day);
      return row?.n ?? 0;
    },

    /** Counts a registration. Returns false if the day's cap is reached. */
    async count(trx: Trx, day: string, cap: number): Promise<boolean> {
      const { numAffectedRows } = await trx.executeQuery(countUp([day, cap]));
      return numAffectedRows === 1n;
    },
  };
}

export type RegistrationStore = ReturnType<typeof registrationStore>;

const MAX_BATCH = 500;

/** Former names of erased or renamed accounts. The game may still have their roles, so they are never assigned again. */
export function erasedNameStore({ kysely }: Pick<Db, 'kysely'>, hash: KeyedHash) {
  const hashOf = (account: string) => hash(accountKey(account));
  const find = compiledOnce(
    (name_hash: string) =>
      kysely.selectFrom('erased_name').select('name_hash').where('name_hash', '=', name_hash),
    1,
  );
  return {
    /** Call after writing the name: a concurrent erasure has then been waited for and is visible. */
    async has(trx: Trx, account: string): Promise<boolean> {
      return (await trx.executeQuery(find([hashOf(account)]))).rows.length > 0;
    },

    /** Returns which of the account keys must not be assigned again. */
    async among(keys: readonly string[]): Promise<Set<string>> {
      const byHash = new Map(keys.map((key) => [hashOf(key), key]));
      const hashes = [...byHash.keys()];
      const found = new Set<string>();
      for (let start = 0; start < hashes.length; start += MAX_BATCH) {
        const rows = await kysely
          .selectFrom('erased_name')
          .select('name_hash')
          .where('name_hash', 'in', hashes.slice(start, start + MAX_BATCH))
          .execute();
        for (const { name_hash } of rows) found.add(byHash.get(name_hash) ?? '');
      }
      return found;
    },

    /** Does nothing if the name is there: an account of that name was erased before, and SQL has added another. */
    async add(trx: Trx, account: string): Promise<void> {
      await insertedNew(trx.insertInto('erased_name').values({ name_hash: hashOf(account) }));
    },
  };
}

export type ErasedNameStore = ReturnType<typeof erasedNameStore>;
