import type { WithdrawState } from '@gatehouse/contract';
import type { ExpressionBuilder } from 'kysely';
import { isPast } from '../../../db/newest-first.ts';
import type { Db } from '../../../db/open.ts';
import { valuesOf } from '../../../db/row-count.ts';
import type { Database } from '../../../db/schema.ts';
import { forEachConcurrent } from '../../../runtime/concurrency.ts';
import { accountKey } from '../../../security/account-key.ts';
import type { Withdrawal } from '../withdrawal.ts';
import { toWithdrawal } from './record-store.ts';

export interface WithdrawFilter {
  readonly states?: readonly WithdrawState[] | undefined;
  /** In any of these zones; null or undefined for all. */
  readonly zones?: readonly number[] | null | undefined;
  readonly playerId?: number | undefined;
  /** By name. */
  readonly role?: string | undefined;
  /** From this time, inclusive, to that one, exclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export interface WithdrawPage {
  readonly limit: number;
  /** The page starts after this withdrawal. */
  readonly after?: { readonly createdAt: number; readonly id: string } | undefined;
}

export interface Owner {
  readonly playerId: number;
  readonly account: string;
  readonly email: string;
  readonly status: string;
}

/** At most one equality per column, so that an index returns the rows in order. */
interface Branch {
  readonly state: WithdrawState | undefined;
  readonly serverId: number | undefined;
}

const MAX_MERGED_ZONES = 10;
const CONCURRENCY = 4;
/** Upper bound for the withdrawals whose zones are taken for a player's. */
const RECENT = 200;

/** Queries for operators. */
export function listStore({ kysely }: Db) {
  const withdrawals = () => kysely.selectFrom('withdraw').selectAll();
  type Query = ReturnType<typeof withdrawals>;

  async function newest(query: Query, { limit, after }: WithdrawPage): Promise<Withdrawal[]> {
    const page = query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit);
    const rest = after ? page.where(isPast([after.createdAt, after.id], 'desc')) : page;
    return (await rest.execute()).map(toWithdrawal);
  }

  function within({ role, from, to }: WithdrawFilter, zones?: readonly number[] | null): Query {
    let query = withdrawals();
    if (zones) query = query.where((eb) => eb(unindexed(eb, 'server_id'), 'in', zones));
    if (role !== undefined) query = query.where('role_name', '=', role);
    if (from !== undefined) query = query.where('created_at', '>=', from);
    if (to !== undefined) query = query.where('created_at', '<', to);
    return query;
  }

  /** Forces the player's index: a player has few withdrawals, a zone or a state very many. */
  function ofPlayer(playerId: number, filter: WithdrawFilter, page: WithdrawPage): Promise<Withdrawal[]> {
    const { states, zones } = filter;
    let query = within(filter, zones).where('player_id', '=', playerId);
    if (states) query = query.where((eb) => eb(unindexed(eb, 'state'), 'in', states));
    return newest(query, page);
  }

  return {
    /**
     * Returns withdrawals newest first. Several states or a few zones are queried separately and merged, because no index has
     * them in one order. Many zones are filtered while reading all withdrawals, which finds a page soon enough.
     */
    async list(filter: WithdrawFilter, page: WithdrawPage): Promise<Withdrawal[]> {
      const { playerId, zones, states } = filter;
      if (zones?.length === 0) return [];
      if (playerId !== undefined) return ofPlayer(playerId, filter, page);
      const areMany = zones && zones.length > MAX_MERGED_ZONES;
      const branches = branchesOf(states, areMany ? undefined : zones);
      const found: Withdrawal[] = [];
      await forEachConcurrent(branches, CONCURRENCY, async ({ state, serverId }) => {
        let query = within(filter, areMany ? zones : undefined);
        if (state !== undefined) query = query.where('state', '=', state);
        if (serverId !== undefined) query = query.where('server_id', '=', serverId);
        found.push(...(await newest(query, page)));
      });
      return found.sort(newestFirst).slice(0, page.limit);
    },

    /** Returns the other withdrawals of the same role, last changed first. */
    async ofSameRole({ id, serverId, roleId }: Withdrawal, limit: number): Promise<Withdrawal[]> {
      if (roleId === null) return [];
      const rows = await withdrawals()
        .where('server_id', '=', serverId)
        .where('role_id', '=', roleId)
        .where('id', '!=', id)
        .orderBy('updated_at', 'desc')
        .limit(limit)
        .execute();
      return rows.map(toWithdrawal);
    },

    /** Returns the ids with this prefix. */
    byPrefix: (prefix: string, limit: number): Promise<string[]> =>
      kysely
        .selectFrom('withdraw')
        .select('id')
        .where('id', '>=', prefix)
        .where('id', '<', `${prefix}\u{10ffff}`)
        .orderBy('id')
        .limit(limit)
        .$call(valuesOf('id')),

    async owner(playerId: number): Promise<Owner | undefined> {
      const row = await kysely
        .selectFrom('player')
        .select(['id', 'account', 'email', 'status'])
        .where('id', '=', playerId)
        .executeTakeFirst();
      return row && { playerId: row.id, account: row.account, email: row.email, status: row.status };
    },

    /** Returns the zones that the player has entered or chose at registration. */
    async zonesOf(playerId: number): Promise<number[]> {
      const entered = await kysely
        .selectFrom('player_zone')
        .select('server_id')
        .where('player_id', '=', playerId)
        .execute();
      const player = await kysely
        .selectFrom('player')
        .select('server_id')
        .where('id', '=', playerId)
        .executeTakeFirst();
      const withdrawn = await kysely
        .selectFrom('withdraw')
        .select('server_id')
        .where('player_id', '=', playerId)
        .orderBy('created_at', 'desc')
        .limit(RECENT)
        .execute();
      const ids = [...entered, ...withdrawn].map(({ server_id }) => server_id).concat(player?.server_id ?? 0);
      return [...new Set(ids)].filter((id) => id > 0);
    },

    async accountsOf(playerIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
      if (playerIds.length === 0) return new Map();
      const rows = await kysely
        .selectFrom('player')
        .select(['id', 'account'])
        .where('id', 'in', playerIds)
        .execute();
      return new Map(rows.map(({ id, account }) => [id, account]));
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

function branchesOf(states: WithdrawFilter['states'], zones: WithdrawFilter['zones']): Branch[] {
  return (zones ?? [undefined]).flatMap((serverId) =>
    (states ?? [undefined]).map((state) => ({ state, serverId })),
  );
}

/** Returns the column as an expression, so that the engine chooses no index on it. */
const unindexed = (eb: ExpressionBuilder<Database, 'withdraw'>, column: 'state' | 'server_id') =>
  eb.fn.coalesce(column, column);

const newestFirst = (a: Withdrawal, b: Withdrawal) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1);
