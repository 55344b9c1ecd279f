import { ChangedMeanwhile } from '../../../db/errors.ts';
import type { Db } from '../../../db/open.ts';
import type { Enqueue } from '../../../db/outbox.ts';
import type { Trx } from '../../../db/transaction.ts';
import { changeOrRepeat, unchanged } from '../../../db/unchanged.ts';
import type { Proposal, Withdrawal } from '../withdrawal.ts';
import { ConditionFailed, proposalColumns, toWithdrawal, writeEvent } from './record-store.ts';
import { type Move, withdrawStore } from './store.ts';

/** A withdrawal and the time by the database clock. */
export interface ReadWithdrawal {
  readonly withdrawal: Withdrawal;
  readonly now: number;
}

/**
 * Operators' decisions on unknown withdrawals. Each applies to the row as it was read; if it has changed, the transaction is
 * repeated.
 */
export function settleStore(db: Db, enqueue?: Enqueue) {
  const { moveWithin } = withdrawStore(db, enqueue);

  return {
    async read(id: string, from: Db['kysely'] | Trx = db.kysely): Promise<ReadWithdrawal | undefined> {
      const row = await from
        .selectFrom('withdraw')
        .selectAll()
        .select(db.now.as('now'))
        .where('id', '=', id)
        .executeTakeFirst();
      return row && { withdrawal: toWithdrawal(row), now: row.now };
    },

    /** Leaves `updated_at` unchanged: it is the time since which the outcome is unknown. */
    async propose(
      trx: Trx,
      { id, proposed }: Withdrawal,
      proposal: Proposal,
      event: { readonly actor: string; readonly detail: object },
    ): Promise<void> {
      await trx
        .updateTable('withdraw')
        .set(proposalColumns(proposal))
        .where('id', '=', id)
        .where('state', '=', 'unknown')
        .where(unchanged(proposalColumns(proposed)))
        .$call(changeOrRepeat);
      const why = `proposed: ${proposal.state}`;
      await writeEvent(trx, { ...event, withdrawId: id, from: 'unknown', to: 'unknown', why });
    },

    /** Leaves `updated_at` unchanged, as `propose` does. */
    async repoint(
      trx: Trx,
      { id, gmUrl: before }: Withdrawal,
      gmUrl: string,
      event: { readonly actor: string; readonly detail: object },
    ): Promise<void> {
      await trx
        .updateTable('withdraw')
        .set({ gm_url: gmUrl })
        .where('id', '=', id)
        .where('state', '=', 'unknown')
        .where(unchanged({ gm_url: before }))
        .$call(changeOrRepeat);
      const why = 'another GM interface';
      await writeEvent(trx, { ...event, withdrawId: id, from: 'unknown', to: 'unknown', why });
    },

    async settle(trx: Trx, withdrawal: Withdrawal, move: Omit<Move, 'from'>): Promise<void> {
      const { proposed } = withdrawal;
      try {
        await moveWithin(trx, withdrawal, { ...move, from: 'unknown' }, { proposed });
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
        throw new ChangedMeanwhile('the withdrawal was changed by another transaction', { cause: error });
      }
    },
  };
}

export type SettleStore = ReturnType<typeof settleStore>;
