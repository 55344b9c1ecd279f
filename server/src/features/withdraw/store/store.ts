import type { RefusalCode, WithdrawState } from '@gatehouse/contract';
import { classify, duplicateKey } from '../../../db/errors.ts';
import type { Db } from '../../../db/open.ts';
import { type Enqueue, enqueueEvent } from '../../../db/outbox.ts';
import { type Trx, verifiedTransaction } from '../../../db/transaction.ts';
import type { Trace } from '../../../runtime/trace.ts';
import { isFinal, tookNothing, type Withdrawal } from '../withdrawal.ts';
import {
  ConditionFailed,
  type Expected,
  proposalColumns,
  recordStore,
  toWithdrawal,
} from './record-store.ts';

/** A state transition and the values it writes. */
export interface Move {
  readonly from: WithdrawState;
  readonly to: WithdrawState;
  readonly why: string;
  readonly actor: string;
  readonly detail?: object | undefined;
  readonly resultCode?: RefusalCode | undefined;
  readonly balanceAfter?: number | undefined;
}

/** The values, in addition to the state, that must not have changed since the withdrawal was read. */
export type MoveCondition = Pick<Expected, 'updatedAt' | 'proposed'>;

/** A withdrawal whose outcome is unknown, and for how long by the database clock. */
export interface UnknownWithdrawal {
  readonly withdrawal: Withdrawal;
  readonly ageMs: number;
}

/** Upper bound for the query; operators never leave this many unsettled. */
const MAX_UNKNOWN = 5000;

/**
 * Every change is one transaction: the row under its condition, its event, and the day's sum. The day comes first, so
 * that all transactions lock it in the same order.
 */
export function withdrawStore(db: Db, enqueue: Enqueue = enqueueEvent) {
  const { kysely } = db;
  const { updateRow } = recordStore(db);

  async function find(id: string): Promise<Withdrawal | undefined> {
    const row = await kysely.selectFrom('withdraw').selectAll().where('id', '=', id).executeTakeFirst();
    return row && toWithdrawal(row);
  }

  /** Returns the request that a withdrawal was accepted with. */
  async function traceOf(id: string): Promise<Trace> {
    const row = await kysely
      .selectFrom('withdraw_event')
      .select('detail')
      .where('withdraw_id', '=', id)
      .where('from_state', 'is', null)
      .executeTakeFirst();
    const { request_id: requestId, traceparent } = JSON.parse(row?.detail ?? '{}');
    return { requestId, traceparent };
  }

  /** Returns false if the condition did not hold. If COMMIT was not confirmed, the row shows whether it was applied. */
  async function change(
    work: (trx: Trx) => Promise<void>,
    id: string,
    isApplied: (now: Withdrawal) => boolean,
  ): Promise<boolean> {
    try {
      await verifiedTransaction(db, {
        work,
        async wasApplied() {
          const now = await find(id);
          return now !== undefined && isApplied(now);
        },
      });
      return true;
    } catch (error) {
      if (error instanceof ConditionFailed) return false;
      throw error;
    }
  }

  /** Subtracts a withdrawal that took nothing from the day's amount and counts it as refused. */
  async function subtractFromDay(trx: Trx, { playerId, day, amount }: Withdrawal): Promise<void> {
    if (day === null) return;
    await trx
      .updateTable('withdraw_day')
      .set(({ eb }) => ({ amount: eb('amount', '-', amount), refused: eb('refused', '+', 1) }))
      .where('player_id', '=', playerId)
      .where('day', '=', day)
      .where('amount', '>=', amount)
      .execute();
  }

  /** Like `move`, in the caller's transaction. Throws ConditionFailed, which must abort that transaction. */
  async function moveWithin(
    trx: Trx,
    withdrawal: Withdrawal,
    move: Move,
    condition: MoveCondition = {},
  ): Promise<void> {
    const { id, claimToken } = withdrawal;
    const { from, to, why, actor, detail, resultCode, balanceAfter } = move;
    const set = {
      state: to,
      ...(isFinal(to) && { open_key: null, ...proposalColumns(null) }),
      ...(resultCode !== undefined && { result_code: resultCode }),
      ...(balanceAfter !== undefined && { balance_after: balanceAfter }),
    };
    const expected = {
      id,
      state: from,
      ...(claimToken !== null && { claimToken }),
      ...condition,
    };
    if (tookNothing(to)) await subtractFromDay(trx, withdrawal);
    await updateRow(trx, expected, set, { to, why, actor, detail });
    if (to === 'done' || to === 'failed' || to === 'unknown')
      await enqueue(trx, {
        type: `withdraw.${to}`,
        data: {
          id,
          player_id: withdrawal.playerId,
          server_id: withdrawal.serverId,
          role_id: withdrawal.roleId,
          role_name: withdrawal.roleName,
          amount: withdrawal.amount,
          state: to,
          result_code: resultCode ?? withdrawal.resultCode,
        },
      });
  }

  return {
    traceOf,
    find,

    async findByKey(playerId: number, requestKey: string): Promise<Withdrawal | undefined> {
      const row = await kysely
        .selectFrom('withdraw')
        .selectAll()
        .where('player_id', '=', playerId)
        .where('request_key', '=', requestKey)
        .executeTakeFirst();
      return row && toWithdrawal(row);
    },

    /** Reserves the role. The key is unique, so a role has one open withdrawal across all instances. */
    async hold(
      { id }: Withdrawal,
      role: { roleId: number; name: string },
      openKey: string,
      actor: string,
    ): Promise<'held' | 'taken' | 'superseded'> {
      const set = { role_id: role.roleId, role_name: cutName(role.name), open_key: openKey };
      const event = { to: 'accepted', why: 'role found', actor, detail: role } as const;
      try {
        const held = await change(
          (trx) => updateRow(trx, { id, state: 'accepted' }, set, event),
          id,
          (now) => now.state === 'accepted' && now.openKey === openKey,
        );
        return held ? 'held' : 'superseded';
      } catch (error) {
        if (duplicateKey(error) === 'withdraw_open_key') return 'taken';
        throw error;
      }
    },

    /**
     * Admits one process to call the game server. `previous` is the token of this process's own claim, which the new one
     * replaces if recovery has not ended it. Returns when the claim began: right before the row update, not while waiting
     * for a connection. A claim whose COMMIT was not confirmed may be in force or not.
     */
    async claim(
      { id }: Withdrawal,
      claim: {
        token: string;
        previous: string | undefined;
        openKey: string;
        balance: number;
        zone: { readonly gmUrl: string | null; readonly databaseUrl: string | null };
        actor: string;
        detail: object;
      },
    ): Promise<{ began: number } | 'superseded' | 'unconfirmed'> {
      const { token, previous, openKey, balance, zone, actor, detail } = claim;
      const expected = previous
        ? ({ id, state: 'sending', claimToken: previous } as const)
        : ({ id, state: 'accepted', openKey } as const);
      const addresses = { gm_url: zone.gmUrl, database_url: zone.databaseUrl };
      const set = { state: 'sending', claim_token: token, balance_before: balance, ...addresses };
      const why = previous ? 'claimed again' : 'claimed';
      const event = { to: 'sending', why, actor, detail } as const;
      let began = performance.now();
      try {
        const claimed = await change(
          async (trx) => {
            began = performance.now();
            await updateRow(trx, expected, set, event);
          },
          id,
          (now) => now.state === 'sending' && now.claimToken === token,
        );
        return claimed ? { began } : 'superseded';
      } catch (error) {
        if (classify(error) === 'outcome_unknown') return 'unconfirmed';
        throw error;
      }
    },

    /** Applies a state transition. Returns false if the withdrawal is not in the `from` state. */
    move(withdrawal: Withdrawal, move: Move, condition?: MoveCondition): Promise<boolean> {
      const { id, claimToken } = withdrawal;
      return change(
        (trx) => moveWithin(trx, withdrawal, move, condition),
        id,
        (now) => now.state === move.to && now.claimToken === claimToken,
      );
    },

    moveWithin,

    /** Takes over an accepted withdrawal that no process is working on. Returns true on one instance only. */
    adopt({ id, updatedAt }: Withdrawal, actor: string): Promise<boolean> {
      const event = { to: 'accepted', why: 'taken over', actor } as const;
      return change(
        (trx) => updateRow(trx, { id, state: 'accepted', updatedAt }, {}, event),
        id,
        () => false,
      );
    },

    async stale(state: 'accepted' | 'sending', ageMs: number, limit: number): Promise<Withdrawal[]> {
      const rows = await kysely
        .selectFrom('withdraw')
        .selectAll()
        .where('state', '=', state)
        .where(({ eb }) => eb('updated_at', '<', eb(db.now, '-', ageMs)))
        .orderBy('updated_at')
        .limit(limit)
        .execute();
      return rows.map(toWithdrawal);
    },

    /** Sets the zone's current addresses on unknown withdrawals from before addresses were stored. */
    async pinUnknown(): Promise<void> {
      await kysely
        .updateTable('withdraw')
        .set(({ selectFrom }) => {
          const zone = selectFrom('server').whereRef('server.server_id', '=', 'withdraw.server_id');
          return { gm_url: zone.select('server.gm_url'), database_url: zone.select('server.database_url') };
        })
        .where('state', '=', 'unknown')
        .where('gm_url', 'is', null)
        .execute();
    },

    /** Returns unknown withdrawals, oldest first. */
    async unknown(): Promise<UnknownWithdrawal[]> {
      const rows = await kysely
        .selectFrom('withdraw')
        .selectAll()
        .select(db.now.as('now'))
        .where('state', '=', 'unknown')
        .orderBy('updated_at')
        .limit(MAX_UNKNOWN)
        .execute();
      return rows.map((row) => ({ withdrawal: toWithdrawal(row), ageMs: row.now - row.updated_at }));
    },

    /** Returns the amount each role withdrew so recently that the game may not have saved it, including on zones merged since. */
    async recentlyDone(
      serverIds: readonly number[],
      roleIds: readonly number[],
      withinMs: number,
    ): Promise<ReadonlyMap<number, number>> {
      if (roleIds.length === 0) return new Map();
      const rows = await kysely
        .selectFrom('withdraw')
        .select(['role_id', ({ fn }) => fn.sum<number>('amount').as('total')])
        .where('server_id', 'in', serverIds)
        .where('role_id', 'in', roleIds)
        .where('state', '=', 'done')
        .where(({ eb }) => eb('updated_at', '>', eb(db.now, '-', withinMs)))
        .groupBy('role_id')
        .execute();
      return new Map(rows.map((row) => [row.role_id ?? 0, Number(row.total)]));
    },

    /** Returns the balance of each role after its last withdrawal within `withinMs`, if known. */
    async lastBalances(
      serverIds: readonly number[],
      roleIds: readonly number[],
      withinMs: number,
    ): Promise<ReadonlyMap<number, number>> {
      const rows = await kysely
        .selectFrom('withdraw')
        .select(['role_id', 'balance_after'])
        .where('server_id', 'in', serverIds)
        .where('role_id', 'in', roleIds)
        .where('state', '=', 'done')
        .where(({ eb }) => eb('updated_at', '>', eb(db.now, '-', withinMs)))
        .orderBy('updated_at')
        .execute();
      return new Map(
        rows.flatMap(({ role_id, balance_after }) =>
          role_id === null || balance_after === null ? [] : [[role_id, balance_after]],
        ),
      );
    },
  };
}

/** Cuts a name to the length of its column. The event has the full name. */
const cutName = (name: string) => [...name].slice(0, 64).join('');

export type WithdrawStore = ReturnType<typeof withdrawStore>;
