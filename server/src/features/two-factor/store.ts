import type { Db } from '../../db/open.ts';
import { countRows, hasRow } from '../../db/row-count.ts';
import type { Trx } from '../../db/transaction.ts';
import { changedOne, equal, insertedNew, unchanged } from '../../db/unchanged.ts';

/** The operator or player who has a second factor. */
export interface Owner {
  readonly kind: 'operator' | 'player';
  readonly id: number;
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
    /** Returns the sealed secret, whether it is confirmed, and the last step whose code was used. */
    async stateOf(owner: Owner) {
      const found = await kysely
        .selectFrom('two_factor')
        .select(['secret', 'confirmed_at', 'last_step'])
        .where(equal(row(owner)))
        .executeTakeFirst();
      if (!found) return undefined;
      const { secret, confirmed_at, last_step: lastStep } = found;
      return { secret, confirmed: confirmed_at !== null, lastStep };
    },

    /** Stores a pending secret, which replaces an earlier one. Returns false if a confirmed one exists. */
    async keepPending(trx: Trx, owner: Owner, secret: string): Promise<boolean> {
      await trx
        .deleteFrom('two_factor')
        .where(equal(row(owner)))
        .where('confirmed_at', 'is', null)
        .execute();
      return insertedNew(trx.insertInto('two_factor').values({ ...row(owner), secret }));
    },

    /** Confirms the pending secret. Returns false if another has replaced it meanwhile. */
    async confirm(trx: Trx, owner: Owner, { secret, step }: Step): Promise<boolean> {
      const confirmed = await trx
        .updateTable('two_factor')
        .set({ confirmed_at: now, last_step: step })
        .where(unchanged({ ...row(owner), confirmed_at: null, secret }))
        .$call(changedOne);
      if (!confirmed) return false;
      await flagPlayer(trx, owner, true);
      return true;
    },

    /** Uses up a step. Returns false if it or a later one was already used on any instance. */
    async useStep(
      trx: Trx,
      owner: Owner,
      { secret, step, renewed }: Step & { readonly renewed: string },
    ): Promise<boolean> {
      return trx
        .updateTable('two_factor')
        .set({ last_step: step, secret: renewed })
        .where(equal(row(owner)))
        .where('secret', '=', secret)
        .where('last_step', '<', step)
        .$call(changedOne);
    },

    async replaceRecoveryCodes(trx: Trx, owner: Owner, hashes: readonly string[]): Promise<void> {
      await trx
        .deleteFrom('recovery_code')
        .where(equal(row(owner)))
        .execute();
      if (hashes.length === 0) return;
      await trx
        .insertInto('recovery_code')
        .values(hashes.map((code_hash) => ({ ...row(owner), code_hash })))
        .execute();
    },

    countRecoveryCodes: (owner: Owner): Promise<number> =>
      kysely
        .selectFrom('recovery_code')
        .where(equal(row(owner)))
        .$call(countRows),

    hasRecoveryCode: (owner: Owner, hashes: readonly string[]): Promise<boolean> =>
      kysely
        .selectFrom('recovery_code')
        .select('code_hash')
        .where(equal(row(owner)))
        .where('code_hash', 'in', hashes)
        .$call(hasRow),

    /** Uses up a recovery code. Returns false if there is no such code. */
    async useRecoveryCode(trx: Trx, owner: Owner, hashes: readonly string[]): Promise<boolean> {
      return trx
        .deleteFrom('recovery_code')
        .where(equal(row(owner)))
        .where('code_hash', 'in', hashes)
        .$call(changedOne);
    },

    async remove(trx: Trx, owner: Owner): Promise<boolean> {
      const removed = await changedOne(trx.deleteFrom('two_factor').where(equal(row(owner))));
      await flagPlayer(trx, owner, false);
      return removed;
    },
  };
}

export type TwoFactorStore = ReturnType<typeof twoFactorStore>;
