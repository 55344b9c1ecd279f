import { sql } from 'kysely';
import { compiledOnce } from '../../../db/lookup.ts';
import type { Db } from '../../../db/open.ts';
import { type HashChange, hashWriter } from '../../../db/password-hash.ts';
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
      yield* twoFactor();
      yield* zoneKeys();
      yield* webhooks();
      yield* operators();
      yield* forumAccounts();
    },
  };

  async function* twoFactor(): AsyncGenerator<StoredSecret> {
    for (const owner_kind of ['operator', 'player'])
      for (let after = 0; ; ) {
        const rows = await kysely
          .selectFrom('two_factor')
          .select(['owner_id', 'secret'])
          .where('owner_kind', '=', owner_kind)
          .where('owner_id', '>', after)
          .orderBy('owner_id')
          .limit(PAGE)
          .execute();
        for (const { owner_id, secret: stored } of rows)
          yield {
            context: { table: 'two_factor', kind: owner_kind, id: owner_id },
            stored,
            replace: (trx, secret) =>
              trx
                .updateTable('two_factor')
                .set({ secret })
                .where('owner_kind', '=', owner_kind)
                .where('owner_id', '=', owner_id)
                .where('secret', '=', stored)
                .execute(),
          };
        const last = rows.at(-1);
        if (last === undefined) break;
        after = last.owner_id;
      }
  }

  async function* zoneKeys(): AsyncGenerator<StoredSecret> {
    const rows = await kysely.selectFrom('zone_key').select(['key_id', 'secret']).execute();
    for (const { key_id, secret: stored } of rows)
      yield {
        context: { table: 'zone_key', id: key_id },
        stored,
        replace: (trx, secret) =>
          trx
            .updateTable('zone_key')
            .set({ secret })
            .where('key_id', '=', key_id)
            .where('secret', '=', stored)
            .execute(),
      };
  }

  async function* webhooks(): AsyncGenerator<StoredSecret> {
    for (const column of ['secret', 'previous_secret'] as const) {
      const rows = await kysely
        .selectFrom('webhook')
        .select(['id', `${column} as stored`])
        .where(column, '!=', '')
        .execute();
      for (const { id, stored } of rows)
        if (stored !== null)
          yield {
            context: { table: 'webhook', id },
            stored,
            replace: (trx, secret) =>
              trx
                .updateTable('webhook')
                .set({ [column]: secret })
                .where('id', '=', id)
                .where(column, '=', stored)
                .execute(),
          };
    }
  }

  async function* operators(): AsyncGenerator<StoredSecret> {
    const rows = await kysely
      .selectFrom('operator')
      .select(['id', 'password_hash as stored'])
      .where('password_hash', 'is not', null)
      .execute();
    for (const { id, stored } of rows)
      if (stored !== null)
        yield {
          context: { table: 'operator', id },
          stored,
          replace: (trx, password_hash) =>
            trx
              .updateTable('operator')
              .set({ password_hash })
              .where('id', '=', id)
              .where('password_hash', '=', stored)
              .execute(),
        };
  }

  /** Yields rows of the first version, which have a hash instead of its digest. */
  async function* forumAccounts(): AsyncGenerator<StoredSecret> {
    for (let after = 0; ; ) {
      const rows = await kysely
        .selectFrom('forum_account')
        .select(['player_id', 'password_hash as stored'])
        .where('player_id', '>', after)
        .orderBy('player_id')
        .limit(PAGE)
        .execute();
      for (const { player_id, stored } of rows)
        yield {
          context: { table: 'forum_account' },
          stored,
          replace: (trx, password_hash) =>
            trx
              .updateTable('forum_account')
              .set({ password_hash })
              .where('player_id', '=', player_id)
              .execute(),
        };
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last.player_id;
    }
  }
}

export type SealingStore = ReturnType<typeof sealingStore>;
