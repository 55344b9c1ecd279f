import type { Db } from '../../db/open.ts';
import type { Trx } from '../../db/transaction.ts';
import { changedOne, insertedNew } from '../../db/unchanged.ts';

/** The operator or player who has a second factor. */
export interface Owner {
  readonly kind: 'operator' | 'player';
  readonly id: number;
}

export interface TwoFactorState {
  /** Sealed. */
  readonly secret: string;
  readonly confirmed: boolean;
  /** The last step whose code was used. */
  readonly lastStep: number;
}

export interface Step {
  /** Sealed, as read when the code was checked. */
  readonly secret: string;
  readonly step: number;
}

export function twoFactorStore({ kysely, now }: Pick<Db, 'kysely' | 'now'>) {
  const row = ({ kind, id }: Owner) => ({ owner_kind: kind, owner_id: id });

  /** Copies the state into the player's row, which every login reads anyway. */
  async function flagPlayer(trx: Trx, { kind, id }: Owner, isOn: boolean): Promise<void> {
    if (kind !== 'player') return;
    await trx
      .updateTable('player')
      .set({ two_factor: isOn ? 1 : 0 })
      .where('id', '=', id)
      .execute();
  }

  return {
    async stateOf({ kind, id }: Owner): Promise<TwoFactorState | undefined> {
      const found = await kysely
        .selectFrom('two_factor')
        .select(['secret', 'confirmed_at', 'last_step'])
        .where('owner_kind', '=', kind)
        .where('owner_id', '=', id)
        .executeTakeFirst();
      return (
        found && {
          secret: found.secret,
          confirmed: found.confirmed_at !== null,
          lastStep: found.last_step,
        }
      );
    },

    /** Stores a pending secret, which replaces an earlier one. Returns false if a confirmed one exists. */
    async keepPending(trx: Trx, owner: Owner, secret: string): Promise<boolean> {
      await trx
        .deleteFrom('two_factor')
        .where('owner_kind', '=', owner.kind)
        .where('owner_id', '=', owner.id)
        .where('confirmed_at', 'is', null)
        .execute();
      return insertedNew(trx.insertInto('two_factor').values({ ...row(owner), secret }));
    },

    /** Confirms the pending secret. Returns false if another has replaced it meanwhile. */
    async confirm(trx: Trx, owner: Owner, { secret, step }: Step): Promise<boolean> {
      const { numUpdatedRows } = await trx
        .updateTable('two_factor')
        .set({ confirmed_at: now, last_step: step })
        .where('owner_kind', '=', owner.kind)
        .where('owner_id', '=', owner.id)
        .where('confirmed_at', 'is', null)
        .where('secret', '=', secret)
        .executeTakeFirst();
      if (numUpdatedRows !== 1n) return false;
      await flagPlayer(trx, owner, true);
      return true;
    },

    /** Uses up a step. Returns false if it or a later one was already used on any instance. */
    async useStep(
      trx: Trx,
      { kind, id }: Owner,
      { secret, step, renewed }: Step & { readonly renewed: string },
    ): Promise<boolean> {
      return trx
        .updateTable('two_factor')
        .set({ last_step: step, secret: renewed })
        .where('owner_kind', '=', kind)
        .where('owner_id', '=', id)
        .where('secret', '=', secret)
        .where('last_step', '<', step)
        .$call(changedOne);
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

    async hasRecoveryCode({ kind, id }: Owner, hashes: readonly string[]): Promise<boolean> {
      const found = await kysely
        .selectFrom('recovery_code')
        .select('code_hash')
        .where('owner_kind', '=', kind)
        .where('owner_id', '=', id)
        .where('code_hash', 'in', hashes)
        .executeTakeFirst();
      return found !== undefined;
    },

    /** Uses up a recovery code. Returns false if there is no such code. */
    async useRecoveryCode(trx: Trx, { kind, id }: Owner, hashes: readonly string[]): Promise<boolean> {
      return trx
        .deleteFrom('recovery_code')
        .where('owner_kind', '=', kind)
        .where('owner_id', '=', id)
        .where('code_hash', 'in', hashes)
        .$call(changedOne);
    },

    async remove(trx: Trx, owner: Owner): Promise<boolean> {
      const { numDeletedRows } = await trx
        .deleteFrom('two_factor')
        .where('owner_kind', '=', owner.kind)
        .where('owner_id', '=', owner.id)
        .executeTakeFirst();
      await flagPlayer(trx, owner, false);
      return numDeletedRows > 0n;
    },
  };
}

export type TwoFactorStore = ReturnType<typeof twoFactorStore>;
