import type { WithdrawState } from '@gatehouse/contract';
import type { Db } from '../../../db/open.ts';
import type { Withdrawal } from '../withdrawal.ts';
import { toWithdrawal } from './record-store.ts';

export interface StateSum {
  readonly serverId: number;
  readonly state: WithdrawState;
  readonly count: number;
  readonly amount: number;
}

/** Read-only queries for players and reports. */
export function reportStore({ kysely, now }: Db) {
  return {
    async ofPlayer(
      playerId: number,
      page: { after: readonly [createdAt: number, id: string] | undefined; limit: number },
    ): Promise<Withdrawal[]> {
      const { after, limit } = page;
      let query = kysely.selectFrom('withdraw').selectAll().where('player_id', '=', playerId);
      if (after) {
        const [createdAt, id] = after;
        query = query.where(({ eb, or, and }) =>
          or([eb('created_at', '<', createdAt), and([eb('created_at', '=', createdAt), eb('id', '<', id)])]),
        );
      }
      const rows = await query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
      return rows.map(toWithdrawal);
    },

    /** Returns the amount that counts towards a player's daily limit. */
    async usedOn(playerId: number, day: string): Promise<number> {
      const row = await kysely
        .selectFrom('withdraw_day')
        .select('amount')
        .where('player_id', '=', playerId)
        .where('day', '=', day)
        .executeTakeFirst();
      return row?.amount ?? 0;
    },

    events(withdrawId: string) {
      return kysely
        .selectFrom('withdraw_event')
        .selectAll()
        .where('withdraw_id', '=', withdrawId)
        .orderBy('seq')
        .execute();
    },

    /** Counts and sums the withdrawals of a time span, by zone and state. */
    async sums(since: number, until: number): Promise<StateSum[]> {
      const rows = await kysely
        .selectFrom('withdraw')
        .select(['server_id', 'state', ({ fn }) => fn.countAll<number>().as('count')])
        .select(({ fn }) => fn.sum<number>('amount').as('total'))
        .where('created_at', '>=', since)
        .where('created_at', '<', until)
        .groupBy(['server_id', 'state'])
        .execute();
      return rows.map((row) => ({
        serverId: row.server_id,
        state: row.state as WithdrawState,
        count: Number(row.count),
        amount: Number(row.total),
      }));
    },

    /** Returns the settled withdrawals of a time span that were sent to a zone, or may have been before a restore, page by page. */
    async sent(
      serverId: number,
      span: { since: number; until: number },
      after: string,
      limit: number,
    ): Promise<Withdrawal[]> {
      const rows = await kysely
        .selectFrom('withdraw')
        .selectAll()
        .where('server_id', '=', serverId)
        .where('state', 'in', ['done', 'failed'])
        .where('created_at', '>=', span.since)
        .where('created_at', '<', span.until)
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(toWithdrawal);
    },

    /** Counts the open withdrawals by state, and describes the unknown ones. */
    async open() {
      const rows = await kysely
        .selectFrom('withdraw')
        .select(['state', ({ fn }) => fn.countAll<number>().as('count')])
        .select(({ fn }) => fn.sum<number>('amount').as('amount'))
        .where('state', 'in', ['accepted', 'sending', 'unknown'])
        .groupBy('state')
        .execute();
      const count = new Map(rows.map((row) => [row.state, Number(row.count)]));
      const amount = Number(rows.find(({ state }) => state === 'unknown')?.amount ?? 0);
      const oldest = count.has('unknown')
        ? await kysely
            .selectFrom('withdraw')
            .select(['amount', ({ eb }) => eb(now, '-', eb.ref('updated_at')).as('age')])
            .where('state', '=', 'unknown')
            .orderBy('updated_at')
            .limit(1)
            .executeTakeFirst()
        : undefined;
      const oldestAgeMs = Math.max(0, Number(oldest?.age ?? 0));
      return { count, unknown: { amount, oldestAgeMs, oldestAmount: oldest?.amount ?? 0 } };
    },
  };
}

export type ReportStore = ReturnType<typeof reportStore>;
