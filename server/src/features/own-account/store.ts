import { duplicateKey } from '../../db/errors.ts';
import type { Db } from '../../db/open.ts';
import type { Trx } from '../../db/transaction.ts';
import { changedOne } from '../../db/unchanged.ts';
import type { PasswordHashes } from '../../security/password-hashes.ts';

/** A player and the version of the calling session. A change applies only while that session is valid. */
export interface OwnRef {
  readonly id: number;
  readonly tokenVersion: number;
}

/** Changes by owners to their accounts. Each returns false if the session has ended meanwhile. */
export function ownAccountStore({ kysely, now }: Db, hashes: Pick<PasswordHashes, 'columnsOf'>) {
  const updateOwn = (trx: Trx, { id, tokenVersion }: OwnRef) =>
    trx.updateTable('player').where('id', '=', id).where('token_version', '=', tokenVersion);

  return {
    details(id: number) {
      return kysely
        .selectFrom('player')
        .select(['account', 'email', 'created_at as createdAt', 'last_login_at as lastLoginAt'])
        .select(['deletion_at as deletionAt', 'name_chosen_at as nameChosenAt'])
        .where('id', '=', id)
        .executeTakeFirst();
    },

    /** Sets the password and ends every token. */
    async setPassword(trx: Trx, player: OwnRef, passwordHash: string): Promise<boolean> {
      const query = updateOwn(trx, player).set(({ eb }) => ({
        ...hashes.columnsOf(passwordHash, player.id),
        password_temporary: 0,
        token_version: eb('token_version', '+', 1),
      }));
      return changedOne(query);
    },

    async endTokens(trx: Trx, player: OwnRef): Promise<boolean> {
      const query = updateOwn(trx, player).set(({ eb }) => ({ token_version: eb('token_version', '+', 1) }));
      return changedOne(query);
    },

    /** Renames an account once. Ends every token, because they contain the name. */
    async rename(trx: Trx, player: OwnRef, account: string): Promise<boolean | 'taken'> {
      try {
        const query = updateOwn(trx, player)
          .where('name_chosen_at', 'is', null)
          .set(({ eb }) => ({ account, name_chosen_at: now, token_version: eb('token_version', '+', 1) }));
        return await changedOne(query);
      } catch (error) {
        if (duplicateKey(error) === 'player_account_key') return 'taken';
        throw error;
      }
    },

    async setEmail(trx: Trx, player: OwnRef, email: string): Promise<boolean | 'taken'> {
      try {
        return await updateOwn(trx, player).set({ email, email_key: email }).$call(changedOne);
      } catch (error) {
        if (duplicateKey(error) === 'player_email_key') return 'taken';
        throw error;
      }
    },

    /** Schedules the deletion by the database clock. An earlier schedule keeps its time. */
    async scheduleDeletion(trx: Trx, player: OwnRef, afterMs: number): Promise<boolean> {
      const query = updateOwn(trx, player).set(({ eb, fn }) => ({
        deletion_at: fn.coalesce('deletion_at', eb(now, '+', afterMs)),
      }));
      return changedOne(query);
    },
  };
}

export type OwnAccountStore = ReturnType<typeof ownAccountStore>;
