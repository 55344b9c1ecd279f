import type { RefusalCode, WithdrawState } from '@gatehouse/contract';
import { type Selectable, sql, type Updateable } from 'kysely';
import type { Db } from '../../../db/open.ts';
import type { Database } from '../../../db/schema.ts';
import type { Trx } from '../../../db/transaction.ts';
import { unchanged } from '../../../db/unchanged.ts';
import type { Proposal, RoleRef, SettledState, Withdrawal } from '../withdrawal.ts';

export interface WithdrawalEvent {
  readonly withdrawId: string;
  readonly from: WithdrawState | null;
  readonly to: WithdrawState;
  readonly why: string;
  readonly actor: string;
  readonly detail?: object | undefined;
}

const MAX_WHY_LENGTH = 255;
const MAX_ACTOR_LENGTH = 64;

export function toWithdrawal(row: Selectable<Database['withdraw']>): Withdrawal {
  return {
    id: row.id,
    playerId: row.player_id,
    requestKey: row.request_key,
    fingerprint: row.fingerprint,
    serverId: row.server_id,
    originServerId: row.origin_server_id,
    role: toRoleRef(row.role),
    roleId: row.role_id,
    roleName: row.role_name,
    amount: row.amount,
    state: row.state as WithdrawState,
    resultCode: row.result_code as RefusalCode | null,
    openKey: row.open_key,
    balanceBefore: row.balance_before,
    balanceAfter: row.balance_after,
    claimToken: row.claim_token,
    gmUrl: row.gm_url,
    databaseUrl: row.database_url,
    day: row.day,
    proposed: toProposal(row),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function toProposal(row: Selectable<Database['withdraw']>): Proposal | null {
  const { proposed_state: state, proposed_by: by, proposed_via: via, proposed_at: at } = row;
  return state === null || by === null || at === null ? null : { state: state as SettledState, by, via, at };
}

/** Returns the columns of a proposal, to write or compare. */
export const proposalColumns = (proposed: Proposal | null) => ({
  proposed_state: proposed?.state ?? null,
  proposed_by: proposed?.by ?? null,
  proposed_via: proposed?.via ?? null,
  proposed_at: proposed?.at ?? null,
});

/** Returns the text itself if it is not JSON: rows written by hand may hold a bare name. */
function toRoleRef(json: string): RoleRef {
  try {
    return JSON.parse(json) as RoleRef;
  } catch {
    return json;
  }
}

/** Rolls back a transaction whose condition did not hold. */
export class ConditionFailed extends Error {}

/** The values a row must still have for a change to apply. */
export interface Expected {
  readonly id: string;
  readonly state: WithdrawState;
  readonly claimToken?: string;
  readonly openKey?: string;
  readonly updatedAt?: number;
  readonly proposed?: Proposal | null;
}

export function recordStore(db: Db) {
  return {
    /** Updates a row under its condition and writes the event, both or neither. */
    async updateRow(
      trx: Trx,
      expected: Expected,
      set: Updateable<Database['withdraw']>,
      event: Omit<WithdrawalEvent, 'withdrawId' | 'from'>,
    ): Promise<void> {
      const { id, state, claimToken, openKey, updatedAt, proposed } = expected;
      let query = trx
        .updateTable('withdraw')
        .set({ ...set, updated_at: db.now })
        .where('id', '=', id)
        .where('state', '=', state);
      if (claimToken !== undefined) query = query.where('claim_token', '=', claimToken);
      if (openKey !== undefined) query = query.where('open_key', '=', openKey);
      if (updatedAt !== undefined) query = query.where('updated_at', '=', updatedAt);
      if (proposed !== undefined) query = query.where(unchanged(proposalColumns(proposed)));
      const { numUpdatedRows } = await query.executeTakeFirst();
      if (numUpdatedRows !== 1n) throw new ConditionFailed();
      await writeEvent(trx, { ...event, withdrawId: id, from: state });
    },
  };
}

/** Writes an event with the next number of its withdrawal. The row lock of the recorded change keeps the numbers consecutive. */
export async function writeEvent(trx: Trx, event: WithdrawalEvent): Promise<void> {
  const { withdrawId, from, to, why, actor, detail } = event;
  await trx
    .insertInto('withdraw_event')
    .columns(['withdraw_id', 'seq', 'from_state', 'to_state', 'why', 'actor', 'detail'])
    .expression((eb) =>
      eb
        .selectFrom('withdraw_event')
        .where('withdraw_id', '=', withdrawId)
        .select(({ fn }) => [
          sql<string>`${withdrawId}`.as('withdraw_id'),
          sql<number>`coalesce(${fn.max('seq')}, 0) + 1`.as('seq'),
          sql<string | null>`${from}`.as('from_state'),
          sql<string>`${to}`.as('to_state'),
          sql<string>`${why.slice(0, MAX_WHY_LENGTH)}`.as('why'),
          sql<string>`${actor.slice(0, MAX_ACTOR_LENGTH)}`.as('actor'),
          sql<string | null>`${detail === undefined ? null : JSON.stringify(detail)}`.as('detail'),
        ]),
    )
    .execute();
}
