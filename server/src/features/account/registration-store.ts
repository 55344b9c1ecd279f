import type { Db } from '../../db/open.ts';
import type { Trx } from '../../db/transaction.ts';
import { changedOne, insertedNew } from '../../db/unchanged.ts';
import { accountKey } from '../../security/account-key.ts';
import type { KeyedHash } from '../../security/keyed-hash.ts';

const REGISTRATIONS = 'registrations';

/** Counts the registrations of each day. */
export function registrationStore({ kysely }: Db) {
  return {
    /** Creates the day's counter, so that counting is one conditional update. */
    async openDay(day: string): Promise<void> {
      await insertedNew(kysely.insertInto('day_counter').values({ name: REGISTRATIONS, day, n: 0 }));
    },

    async countOf(day: string): Promise<number> {
      const row = await kysely
        .selectFrom('day_counter')
        .select('n')
        .where('name', '=', REGISTRATIONS)
        .where('day', '=', day)
        .executeTakeFirst();
      return row?.n ?? 0;
    },

    /** Counts a registration. Returns false if the day's cap is reached. */
    async count(trx: Trx, day: string, cap: number): Promise<boolean> {
      return trx
        .updateTable('day_counter')
        .set(({ eb }) => ({ n: eb('n', '+', 1) }))
        .where('name', '=', REGISTRATIONS)
        .where('day', '=', day)
        .where('n', '<', cap)
        .$call(changedOne);
    },
  };
}

export type RegistrationStore = ReturnType<typeof registrationStore>;

const MAX_BATCH = 500;

/** Former names of erased or renamed accounts. The game may still have their roles, so they are never assigned again. */
export function erasedNameStore({ kysely }: Pick<Db, 'kysely'>, hash: KeyedHash) {
  const hashOf = (account: string) => hash(accountKey(account));
  return {
    /** Call after writing the name: a concurrent erasure has then been waited for and is visible. */
    async has(trx: Trx, account: string): Promise<boolean> {
      const row = await trx
        .selectFrom('erased_name')
        .select('name_hash')
        .where('name_hash', '=', hashOf(account))
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Returns those of the account keys that must not be assigned again. */
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

    async add(trx: Trx, account: string): Promise<void> {
      await trx
        .insertInto('erased_name')
        .values({ name_hash: hashOf(account) })
        .execute();
    },
  };
}

export type ErasedNameStore = ReturnType<typeof erasedNameStore>;
