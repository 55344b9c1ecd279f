import type { CodePurpose } from '@gatehouse/contract';
import { sql } from 'kysely';
import { deleteOldest } from '../../db/delete-in-batches.ts';
import type { Db } from '../../db/open.ts';
import type { Trx } from '../../db/transaction.ts';

const MAX_TRIES = 5;

/** Of a code whose request named no purpose: good for a registration and for a new password. */
const UNNAMED = '';

export interface StoredCode {
  readonly id: number;
  readonly hash: string;
}

export interface NewCode {
  readonly email: string;
  readonly hash: string;
  readonly purpose: CodePurpose | undefined;
  readonly lifetimeMs: number;
}

export function codeStore(db: Db) {
  const stillGood = (id: number) =>
    db.kysely
      .updateTable('verify')
      .where('id', '=', id)
      .where('used_at', 'is', null)
      .where('expires_at', '>', db.now);

  return {
    async add({ email, hash, purpose, lifetimeMs }: NewCode): Promise<number> {
      const { insertId } = await db.kysely
        .insertInto('verify')
        .values(({ eb }) => ({
          email,
          code_hash: hash,
          purpose: purpose ?? UNNAMED,
          created_at: db.now,
          expires_at: eb(db.now, '+', lifetimeMs),
        }))
        .executeTakeFirstOrThrow();
      return Number(insertId);
    },

    /** A new code voids the ones before it. */
    async voidEarlier(email: string, id: number): Promise<void> {
      await db.kysely
        .updateTable('verify')
        .set({ used_at: db.now })
        .where('email', '=', email)
        .where('id', '<', id)
        .where('used_at', 'is', null)
        .execute();
    },

    async remove(id: number): Promise<void> {
      await db.kysely.deleteFrom('verify').where('id', '=', id).execute();
    },

    newest(email: string, purpose: CodePurpose): Promise<StoredCode | undefined> {
      const isUnnamed = purpose === 'register' || purpose === 'reset';
      return db.kysely
        .selectFrom('verify')
        .select(['id', 'code_hash as hash'])
        .where('email', '=', email)
        .where('purpose', 'in', isUnnamed ? [purpose, UNNAMED] : [purpose])
        .where('used_at', 'is', null)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst();
    },

    /** Takes one of the code's tries before it is looked at, so that parallel guesses get no more than five. */
    async takeTry(id: number): Promise<boolean> {
      const { numUpdatedRows } = await stillGood(id)
        .set(({ eb }) => ({ attempts: eb('attempts', '+', 1) }))
        .where('attempts', '<', MAX_TRIES)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async giveTryBack(id: number): Promise<void> {
      await db.kysely
        .updateTable('verify')
        .set(({ eb }) => ({ attempts: eb('attempts', '-', 1) }))
        .where('id', '=', id)
        .execute();
    },

    /** Uses the code up, within the transaction of what it is used for. */
    async consume(trx: Trx, id: number): Promise<boolean> {
      const { numUpdatedRows } = await trx
        .updateTable('verify')
        .set({ used_at: db.now })
        .where('id', '=', id)
        .where('used_at', 'is', null)
        .where('expires_at', '>', db.now)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    deleteExpired: (olderThanMs: number, limit: number) =>
      deleteOldest(db, {
        table: 'verify',
        key: ['id'],
        column: 'expires_at',
        before: sql`${db.now} - ${olderThanMs}`,
        limit,
      }),
  };
}

export type CodeStore = ReturnType<typeof codeStore>;
