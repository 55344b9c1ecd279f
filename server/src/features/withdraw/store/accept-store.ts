import type { RefusalCode } from '@gatehouse/contract';
import { classify } from '../../../db/errors.ts';
import type { Db } from '../../../db/open.ts';
import type { Trx } from '../../../db/transaction.ts';
import { changedOne, insertedNew } from '../../../db/unchanged.ts';
import { type Trace, traceFields } from '../../../runtime/trace.ts';
import type { RoleRef } from '../withdrawal.ts';
import { recordStore, writeEvent } from './record-store.ts';

export interface NewWithdrawal {
  readonly id: string;
  readonly playerId: number;
  readonly requestKey: string | null;
  readonly fingerprint: string;
  readonly serverId: number;
  readonly originServerId: number | null;
  readonly role: RoleRef;
  readonly amount: number;
  readonly openKey: string;
  readonly day: string;
  readonly gmUrl: string | null;
  readonly databaseUrl: string | null;
  readonly trace: Trace;
}

/** A player's daily limits: the amount withdrawn and the number of refused requests. */
export interface DayLimits {
  readonly amount: number;
  readonly refused: number;
}

const TRIES = 3;

type Refused = 'over_daily_max' | 'too_many_refused' | 'zone_merged' | 'code_used';

/** Uses up the code of a player with a second factor. Returns false if the code was used meanwhile. */
type UseCode = ((trx: Trx) => Promise<boolean>) | undefined;

/** Rolls back the transaction of a request that is not stored. */
class NotAccepted extends Error {
  readonly why: Refused;

  constructor(why: Refused) {
    super(why);
    this.why = why;
  }
}

/** Inserts new withdrawals. */
export function acceptStore(db: Db) {
  const { kysely } = db;
  const { updateRow } = recordStore(db);

  async function insert(trx: Trx, withdrawal: NewWithdrawal, openKey: string | null): Promise<void> {
    const { id, playerId, requestKey, fingerprint, serverId, originServerId, amount } = withdrawal;
    await trx
      .insertInto('withdraw')
      .values({
        id,
        player_id: playerId,
        request_key: requestKey,
        fingerprint,
        server_id: serverId,
        origin_server_id: originServerId,
        role: JSON.stringify(withdrawal.role),
        amount,
        open_key: openKey,
        day: openKey === null ? null : withdrawal.day,
        state: 'accepted',
        gm_url: withdrawal.gmUrl,
        database_url: withdrawal.databaseUrl,
      })
      .execute();
    const { role, trace } = withdrawal;
    const origin = originServerId === null ? {} : { origin_server_id: originServerId };
    const detail = { server_id: serverId, ...origin, role, amount, ...traceFields(trace) };
    const actor = `player:${playerId}`;
    await writeEvent(trx, { withdrawId: id, from: null, to: 'accepted', why: 'asked', actor, detail });
  }

  async function isKept(id: string): Promise<boolean> {
    return (await kysely.selectFrom('withdraw').select('id').where('id', '=', id).execute()).length > 0;
  }

  async function openDay(playerId: number, day: string): Promise<void> {
    await insertedNew(kysely.insertInto('withdraw_day').values({ player_id: playerId, day }));
  }

  async function countTowardsDay(trx: Trx, withdrawal: NewWithdrawal, limits: DayLimits): Promise<boolean> {
    return trx
      .updateTable('withdraw_day')
      .set(({ eb }) => ({ amount: eb('amount', '+', withdrawal.amount) }))
      .where('player_id', '=', withdrawal.playerId)
      .where('day', '=', withdrawal.day)
      .where('amount', '<=', limits.amount - withdrawal.amount)
      .where('refused', '<', limits.refused)
      .$call(changedOne);
  }

  async function countRefused(trx: Trx, { playerId, day }: NewWithdrawal, limit: number): Promise<boolean> {
    return trx
      .updateTable('withdraw_day')
      .set(({ eb }) => ({ refused: eb('refused', '+', 1) }))
      .where('player_id', '=', playerId)
      .where('day', '=', day)
      .where('refused', '<', limit)
      .$call(changedOne);
  }

  /**
   * Returns false if the zone was merged or removed. Writes the row instead of reading it: a merge writes the same row, so the
   * two are serialized on every engine and on every node of a cluster.
   */
  async function admit(trx: Trx, serverId: number): Promise<boolean> {
    return trx
      .updateTable('server')
      .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
      .where('server_id', '=', serverId)
      .where('merged_into', 'is', null)
      .$call(changedOne);
  }

  /** Returns which of the day's limits was reached. */
  async function fullOf({ playerId, day }: NewWithdrawal, limits: DayLimits): Promise<Refused> {
    const row = await kysely
      .selectFrom('withdraw_day')
      .select('refused')
      .where('player_id', '=', playerId)
      .where('day', '=', day)
      .executeTakeFirst();
    return (row?.refused ?? 0) >= limits.refused ? 'too_many_refused' : 'over_daily_max';
  }

  return {
    /**
     * Stores a request durably. Retries an unconfirmed commit under the same id, which cannot be inserted twice. Returns
     * `uncertain` if the database became unavailable before the outcome was known.
     */
    async accept(
      withdrawal: NewWithdrawal,
      limits: DayLimits,
      useCode?: UseCode,
    ): Promise<'kept' | Refused | 'duplicate' | 'uncertain'> {
      await openDay(withdrawal.playerId, withdrawal.day);
      for (let tries = 1, uncertain = false; ; tries++) {
        try {
          await db.transaction(async (trx) => {
            if (useCode && !(await useCode(trx))) throw new NotAccepted('code_used');
            if (!(await countTowardsDay(trx, withdrawal, limits))) throw new NotAccepted('over_daily_max');
            await insert(trx, withdrawal, withdrawal.openKey);
            // Last, because all withdrawals of the zone wait for this row lock.
            if (!(await admit(trx, withdrawal.serverId))) throw new NotAccepted('zone_merged');
          });
          return 'kept';
        } catch (error) {
          // The conflict may be with this very request, stored by the unconfirmed commit.
          const wasKept = () =>
            isKept(withdrawal.id).catch((unread) => {
              if (!uncertain) throw unread;
              return undefined;
            });
          if (error instanceof NotAccepted) {
            const kept = uncertain && (await wasKept());
            if (kept === undefined) return 'uncertain';
            if (kept) return 'kept';
            return error.why === 'over_daily_max' ? fullOf(withdrawal, limits) : error.why;
          }
          const failure = classify(error);
          if (failure === 'duplicate') {
            const kept = await wasKept();
            if (kept === undefined) return 'uncertain';
            return kept ? 'kept' : 'duplicate';
          }
          uncertain ||= failure === 'outcome_unknown';
          if (!uncertain) throw error;
          if (tries === TRIES) return 'uncertain';
        }
      }
    },

    /** Stores a request as refused, because its role has an open withdrawal. */
    async keepRefused(
      withdrawal: NewWithdrawal,
      code: RefusalCode,
      limits: DayLimits,
      useCode?: UseCode,
    ): Promise<'kept' | 'too_many_refused' | 'duplicate' | 'code_used'> {
      await openDay(withdrawal.playerId, withdrawal.day);
      try {
        return await db.transaction(async (trx) => {
          if (useCode && !(await useCode(trx))) return 'code_used';
          if (!(await countRefused(trx, withdrawal, limits.refused)))
            throw new NotAccepted('too_many_refused');
          await insert(trx, withdrawal, null);
          const event = { to: 'refused', why: code, actor: 'service' } as const;
          const expected = { id: withdrawal.id, state: 'accepted' } as const;
          await updateRow(trx, expected, { state: 'refused', result_code: code }, event);
          return 'kept';
        });
      } catch (error) {
        if (error instanceof NotAccepted) return 'too_many_refused';
        if (classify(error) === 'duplicate') return 'duplicate';
        throw error;
      }
    },
  };
}

export type AcceptStore = ReturnType<typeof acceptStore>;
