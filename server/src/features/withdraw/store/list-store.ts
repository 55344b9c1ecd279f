import type { WithdrawState } from '@gatehouse/contract';
import type { ExpressionBuilder } from 'kysely';
import type { Db } from '../../../db/open.ts';
import type { Database } from '../../../db/schema.ts';
import { forEachConcurrent } from '../../../runtime/for-each-concurrent.ts';
import { accountKey } from '../../../security/account-key.ts';
import type { Withdrawal } from '../withdrawal.ts';
import { toWithdrawal } from './record-store.ts';

export interface WithdrawFilter {
  /** Any of these. */
  readonly states?: readonly WithdrawState[] | undefined;
  /** Of any of these zones; null or undefined for all. */
  readonly zones?: readonly number[] | null | undefined;
  readonly playerId?: number | undefined;
  /** By name. */
  readonly role?: string | undefined;
  /** From this moment on, and before that one. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export interface WithdrawPage {
  readonly limit: number;
  /** Begins after this one. */
  readonly after?: { readonly createdAt: number; readonly id: string } | undefined;
}

export interface ListedRecord extends Withdrawal {
  readonly account: string | null;
}

export interface Owner {
  readonly playerId: number;
  readonly account: string;
  readonly email: string;
  readonly status: string;
}

/** One equality of each kind, which an index serves in order. */
interface Branch {
  readonly state: WithdrawState | undefined;
  readonly serverId: number | undefined;
}

const CONCURRENCY = 4;

/** What operators look for. */
export function listStore({ kysely }: Db) {
  const listed = () =>
    kysely
      .selectFrom('withdraw')
      .leftJoin('player', 'player.id', 'withdraw.player_id')
      .selectAll('withdraw')
      .select('player.account');
  type Query = ReturnType<typeof listed>;
  type Row = Awaited<ReturnType<Query['executeTakeFirstOrThrow']>>;
  const toListed = (row: Row): ListedRecord => ({ ...toWithdrawal(row), account: row.account });

  async function newest(query: Query, { limit, after }: WithdrawPage): Promise<ListedRecord[]> {
    let page = query.orderBy('withdraw.created_at', 'desc').orderBy('withdraw.id', 'desc').limit(limit);
    if (after)
      // Written so that both engines begin at the cursor: SQLite does not seek by an OR, nor MariaDB by a row of values.
      page = page
        .where('withdraw.created_at', '<=', after.createdAt)
        .where(({ eb, or }) =>
          or([eb('withdraw.created_at', '<', after.createdAt), eb('withdraw.id', '<', after.id)]),
        );
    return (await page.execute()).map(toListed);
  }

  function within({ role, from, to }: WithdrawFilter): Query {
    let query = listed();
    if (role !== undefined) query = query.where('withdraw.role_name', '=', role);
    if (from !== undefined) query = query.where('withdraw.created_at', '>=', from);
    if (to !== undefined) query = query.where('withdraw.created_at', '<', to);
    return query;
  }

  /** The index of the player's is the one to use: a player has few, a zone or a state has very many. */
  function ofPlayer(playerId: number, filter: WithdrawFilter, page: WithdrawPage): Promise<ListedRecord[]> {
    const { states, zones } = filter;
    let query = within(filter).where('withdraw.player_id', '=', playerId);
    if (states) query = query.where((eb) => eb(unindexed(eb, 'state'), 'in', states));
    if (zones) query = query.where((eb) => eb(unindexed(eb, 'server_id'), 'in', zones));
    return newest(query, page);
  }

  return {
    /** Newest first. Several states or zones are read one by one and merged: no index has them in one order. */
    async list(filter: WithdrawFilter, page: WithdrawPage): Promise<ListedRecord[]> {
      const { playerId } = filter;
      if (filter.zones?.length === 0) return [];
      if (playerId !== undefined) return ofPlayer(playerId, filter, page);
      const found: ListedRecord[] = [];
      await forEachConcurrent(branchesOf(filter), CONCURRENCY, async ({ state, serverId }) => {
        let query = within(filter);
        if (state !== undefined) query = query.where('withdraw.state', '=', state);
        if (serverId !== undefined) query = query.where('withdraw.server_id', '=', serverId);
        found.push(...(await newest(query, page)));
      });
      return found.sort(newestFirst).slice(0, page.limit);
    },

    /** The other withdrawals of its role, last changed first. */
    async ofSameRole({ id, serverId, roleId }: Withdrawal, limit: number): Promise<ListedRecord[]> {
      if (roleId === null) return [];
      const rows = await listed()
        .where('withdraw.server_id', '=', serverId)
        .where('withdraw.role_id', '=', roleId)
        .where('withdraw.id', '!=', id)
        .orderBy('withdraw.updated_at', 'desc')
        .limit(limit)
        .execute();
      return rows.map(toListed);
    },

    /** Those whose id begins so. */
    async byPrefix(prefix: string, limit: number): Promise<string[]> {
      const rows = await kysely
        .selectFrom('withdraw')
        .select('id')
        .where('id', '>=', prefix)
        .where('id', '<', `${prefix}\u{10ffff}`)
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },

    async owner(playerId: number): Promise<Owner | undefined> {
      const row = await kysely
        .selectFrom('player')
        .select(['id', 'account', 'email', 'status'])
        .where('id', '=', playerId)
        .executeTakeFirst();
      return row && { playerId: row.id, account: row.account, email: row.email, status: row.status };
    },

    async playerIdOf(account: string): Promise<number | undefined> {
      const row = await kysely
        .selectFrom('player')
        .select('id')
        .where('account_key', '=', accountKey(account))
        .executeTakeFirst();
      return row?.id;
    },
  };
}

export type ListStore = ReturnType<typeof listStore>;

function branchesOf({ states, zones }: WithdrawFilter): Branch[] {
  return (zones ?? [undefined]).flatMap((serverId) =>
    (states ?? [undefined]).map((state) => ({ state, serverId })),
  );
}

/** The column as an expression, so that no index of it is chosen. */
const unindexed = <C extends 'state' | 'server_id'>(
  eb: ExpressionBuilder<Database & { player: object }, 'withdraw'>,
  column: C,
) => eb.fn.coalesce(`withdraw.${column}`, `withdraw.${column}`);

const newestFirst = (a: Withdrawal, b: Withdrawal) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1);
