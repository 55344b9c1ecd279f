import { type RawBuilder, sql } from 'kysely';
import { compiledOnce } from '../../../db/lookup.ts';
import type { Db } from '../../../db/open.ts';
import { type HashChange, hashWriter } from '../../../db/password-hash.ts';
import type { Database } from '../../../db/schema.ts';
import type { Trx } from '../../../db/transaction.ts';
import {
  digestOfHash,
  type PasswordColumns,
  type StoredPassword,
} from '../../../security/password-hashes.ts';

export interface StoredHash {
  readonly id: number;
  readonly stored: string;
}

/** A secret outside the player table. `replace` rewrites it unless it has changed meanwhile. */
export interface StoredSecret {
  readonly context: SecretContext;
  readonly stored: string;
  replace(trx: Trx, to: string): Promise<unknown>;
}

/** An md5 hash and the argon2id hash that replaces it. */
export interface Rehashed extends StoredHash {
  readonly md5: string;
  readonly argon2: string;
  readonly columns: PasswordColumns;
}

export type SecretContext =
  | { readonly table: 'two_factor'; readonly kind: string; readonly id: number }
  | { readonly table: 'operator'; readonly id: number }
  | { readonly table: 'player'; readonly id: number }
  | { readonly table: 'zone_key'; readonly id: string }
  | { readonly table: 'webhook'; readonly id: number }
  | { readonly table: 'forum_account' };

/** A column with sealed values, read by its key. */
interface SecretColumn {
  readonly table: keyof Database;
  readonly key: string;
  readonly column: string;
  readonly only?: RawBuilder<unknown>;
  /** Comes before every key. */
  readonly first: number | string;
  contextOf(key: never): SecretContext;
}

const twoFactorOf = (kind: 'operator' | 'player'): SecretColumn => ({
  table: 'two_factor',
  key: 'owner_id',
  column: 'secret',
  only: sql`owner_kind = ${kind}`,
  first: 0,
  contextOf: (id: number) => ({ table: 'two_factor', kind, id }),
});

const webhookSecret = (column: 'secret' | 'previous_secret'): SecretColumn => ({
  table: 'webhook',
  key: 'id',
  column,
  first: 0,
  contextOf: (id: number) => ({ table: 'webhook', id }),
});

const secretColumns: readonly SecretColumn[] = [
  twoFactorOf('operator'),
  twoFactorOf('player'),
  {
    table: 'zone_key',
    key: 'key_id',
    column: 'secret',
    first: '',
    contextOf: (id: string) => ({ table: 'zone_key', id }),
  },
  webhookSecret('secret'),
  webhookSecret('previous_secret'),
  {
    table: 'operator',
    key: 'id',
    column: 'password_hash',
    first: 0,
    contextOf: (id: number) => ({ table: 'operator', id }),
  },
  // Rows of the first version have a hash instead of its digest.
  {
    table: 'forum_account',
    key: 'player_id',
    column: 'password_hash',
    first: 0,
    contextOf: () => ({ table: 'forum_account' }),
  },
];

const PAGE = 2000;
const NEWEST = 100;
/** Small, because hashing a row takes 30 ms or more, and a stopped command finishes its page. */
const REHASH_PAGE = 8;

/** Reads and rewrites every sealed value in the database. */
export function sealingStore(db: Db) {
  const { kysely } = db;
  const write = hashWriter(db);
  const writeArgon2 = hashWriter(db, 'password_argon2');
  const page = compiledOnce(
    (after: number) =>
      kysely
        .selectFrom('player')
        .select(['id', 'password_hash as stored'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(sql.lit(PAGE)),
    1,
  );

  return {
    async lastId(): Promise<number> {
      const row = await kysely
        .selectFrom('player')
        .select(({ fn }) => fn.max('id').as('id'))
        .executeTakeFirst();
      return row?.id ?? 0;
    },

    /** Returns hashes of the newest players, enough to check the keys. */
    newestHashes: (): Promise<StoredPassword[]> =>
      kysely
        .selectFrom('player')
        .select(['id', 'password_hash', 'password_argon2'])
        .orderBy('id', 'desc')
        .limit(NEWEST)
        .execute(),

    /** Returns the next players by id; none after the last. */
    hashesAfter: (id: number): Promise<StoredHash[]> => db.read(page([id])),

    writeHashes: (trx: Trx, changes: readonly HashChange[]): Promise<void> => write(trx, changes),

    /** Returns the next argon2id hashes by the player's id. */
    async argon2After(id: number): Promise<StoredHash[]> {
      const rows = await kysely
        .selectFrom('player')
        .select(['id', 'password_argon2 as stored'])
        .where('id', '>', id)
        .where('password_argon2', 'is not', null)
        .orderBy('id')
        .limit(PAGE)
        .execute();
      return rows.map(({ id, stored }) => ({ id, stored: stored ?? '' }));
    },

    writeArgon2: (trx: Trx, changes: readonly HashChange[]): Promise<void> => writeArgon2(trx, changes),

    /** Returns the next md5 hashes by the player's id. */
    md5After: (id: number): Promise<StoredHash[]> =>
      kysely
        .selectFrom('player')
        .select(['id', 'password_hash as stored'])
        .where('id', '>', id)
        .where('password_hash', '!=', '')
        .orderBy('id')
        .limit(REHASH_PAGE)
        .execute(),

    /**
     * Replaces md5 hashes, unless they have changed meanwhile. An account made by a forum login is recognised by the digest of
     * its hash, which changes too.
     */
    async replaceMd5(trx: Trx, changes: readonly Rehashed[]): Promise<void> {
      const ids = changes.map(({ id }) => id);
      const made = await trx
        .selectFrom('forum_account')
        .select(['player_id', 'password_hash'])
        .where('player_id', 'in', ids)
        .execute();
      const digests = new Map(made.map(({ player_id, password_hash }) => [player_id, password_hash]));
      for (const { id, stored, md5, argon2, columns } of changes) {
        await trx
          .updateTable('player')
          .set(columns)
          .where('id', '=', id)
          .where('password_hash', '=', stored)
          .execute();
        if (![md5, digestOfHash(md5)].includes(digests.get(id) ?? '')) continue;
        await trx
          .updateTable('forum_account')
          .set({ password_hash: digestOfHash(argon2) })
          .where('player_id', '=', id)
          .execute();
      }
    },

    /** Yields the secrets of operators, zones and players except their passwords. */
    async *secrets(): AsyncGenerator<StoredSecret> {
      for (const column of secretColumns) yield* valuesOf(column);
    },
  };

  async function* valuesOf({ table, key, column, only, first, contextOf }: SecretColumn) {
    const [from, id, value] = [sql.table(table), sql.ref(key), sql.ref(column)];
    const where = only ?? sql`1 = 1`;
    for (let after = first; ; ) {
      const { rows } = await sql<{ id: never; stored: string }>`select ${id} as id, ${value} as stored
        from ${from} where ${where} and ${id} > ${after} and ${value} != '' order by ${id} limit ${PAGE}`.execute(
        kysely,
      );
      for (const { id: rowId, stored } of rows)
        yield {
          context: contextOf(rowId),
          stored,
          replace: (trx: Trx, to: string) =>
            sql`update ${from} set ${value} = ${to}
              where ${where} and ${id} = ${rowId} and ${value} = ${stored}`.execute(trx),
        };
      const last = rows.at(-1);
      if (last === undefined) return;
      after = last.id;
    }
  }
}

export type SealingStore = ReturnType<typeof sealingStore>;
