import { classify } from '../../db/errors.ts';
import type { Db } from '../../db/open.ts';
import type { Trx } from '../../db/transaction.ts';

/** Whose login has a second factor: an operator's or a player's. */
export interface Owner {
  readonly kind: 'operator' | 'player';
  readonly id: number;
}

export interface TwoFactorState {
  /** Sealed. */
  readonly secret: string;
  readonly confirmed: boolean;
}

export function twoFactorStore({ kysely, now }: Pick<Db, 'kysely' | 'now'>) {
  const row = ({ kind, id }: Owner) => ({ owner_kind: kind, owner_id: id });

  return {
    async stateOf({ kind, id }: Owner): Promise<TwoFactorState | undefined> {
      const found = await kysely
        .selectFrom('two_factor')
        .select(['secret', 'confirmed_at'])
        .where('owner_kind', '=', kind)
        .where('owner_id', '=', id)
        .executeTakeFirst();
      return found && { secret: found.secret, confirmed: found.confirmed_at !== null };
    },

    /** Keeps a secret that is not in force yet, in place of an earlier one; false where one is in force. */
    async keepPending(trx: Trx, owner: Owner, secret: string): Promise<boolean> {
      await trx
        .deleteFrom('two_factor')
        .where('owner_kind', '=', owner.kind)
        .where('owner_id', '=', owner.id)
        .where('confirmed_at', 'is', null)
        .execute();
      try {
        await trx
          .insertInto('two_factor')
          .values({ ...row(owner), secret })
          .execute();
        return true;
      } catch (error) {
        if (classify(error) === 'duplicate') return false;
        throw error;
      }
    },

    /** Puts the pending secret in force; false where another has taken its place meanwhile. */
    async confirm(trx: Trx, owner: Owner, { secret, step }: { secret: string; step: number }) {
      const { numUpdatedRows } = await trx
        .updateTable('two_factor')
        .set({ confirmed_at: now, last_step: step })
        .where('owner_kind', '=', owner.kind)
        .where('owner_id', '=', owner.id)
        .where('confirmed_at', 'is', null)
        .where('secret', '=', secret)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    /** Uses a step up; false where it, or a later one, was used already, on whichever instance. */
    async useStep({ kind, id }: Owner, step: number): Promise<boolean> {
      const { numUpdatedRows } = await kysely
        .updateTable('two_factor')
        .set({ last_step: step })
        .where('owner_kind', '=', kind)
        .where('owner_id', '=', id)
        .where('last_step', '<', step)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    /** The same secret in another form, unless it is another one by now. */
    async replaceSecret({ kind, id }: Owner, { from, to }: { from: string; to: string }): Promise<void> {
      await kysely
        .updateTable('two_factor')
        .set({ secret: to })
        .where('owner_kind', '=', kind)
        .where('owner_id', '=', id)
        .where('secret', '=', from)
        .execute();
    },

    async replaceRecoveryCodes(trx: Trx, owner: Owner, hashes: readonly string[]): Promise<void> {
      await trx
        .deleteFrom('recovery_code')
        .where('owner_kind', '=', owner.kind)
        .where('owner_id', '=', owner.id)
        .execute();
      if (hashes.length === 0) return;
      await trx
        .insertInto('recovery_code')
        .values(hashes.map((code_hash) => ({ ...row(owner), code_hash })))
        .execute();
    },

    /** Uses a recovery code up; false where there is no such. */
    async useRecoveryCode({ kind, id }: Owner, hashes: readonly string[]): Promise<boolean> {
      const { numDeletedRows } = await kysely
        .deleteFrom('recovery_code')
        .where('owner_kind', '=', kind)
        .where('owner_id', '=', id)
        .where('code_hash', 'in', hashes)
        .executeTakeFirst();
      return numDeletedRows === 1n;
    },

    async remove(trx: Trx, owner: Owner): Promise<boolean> {
      const { numDeletedRows } = await trx
        .deleteFrom('two_factor')
        .where('owner_kind', '=', owner.kind)
        .where('owner_id', '=', owner.id)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}

export type TwoFactorStore = ReturnType<typeof twoFactorStore>;
