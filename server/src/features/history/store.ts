import { type Expression, sql } from 'kysely';
import { sweepOlder } from '../../db/delete-in-batches.ts';
import { compiledBySize, compiledForMany } from '../../db/lookup.ts';
import type { Db } from '../../db/open.ts';
import type { Trx } from '../../db/transaction.ts';

export type LoginDetails = [
  kind: string,
  code: string | null,
  serverId: number | null,
  ip: string,
  agent: string,
];

/** A login to write, with its age instead of its time, because the database clock decides. */
export type LoginValues = [playerId: number, ageMs: number, ...LoginDetails];

type LastLogin = [playerId: number, ageMs: number, ip: string];

export type PlayerEventKind =
  | 'password'
  | 'password_reset'
  | 'email'
  | 'name'
  | 'two_factor_on'
  | 'two_factor_off'
  | 'recovery_codes'
  | 'linked'
  | 'unlinked'
  | 'signed_out'
  | 'deletion'
  | 'deletion_cancelled';

export interface PlayerEvent {
  readonly playerId: number;
  readonly kind: PlayerEventKind;
  /** The former e-mail address or name, or the provider of a linked account. */
  readonly detail?: string | undefined;
  readonly address: string;
  readonly userAgent: string | undefined;
}

/** A player may have hundreds of thousands of logins and no entry: read only this many. */
const ENTRY_AMONG = 2000;

/** Fits into a 64 KiB column, however long the user agents are. */
const JOURNAL_CHUNK = 80;
export const MAX_AGENT_LENGTH = 255;
const LARGEST_INSERT = 256;
/** Upper bound for a CASE: a larger one takes longer per row. */
const MAX_UPDATED = 64;

export function historyStore(db: Db) {
  const { kysely } = db;
  const insert = compiledBySize((logins: LoginValues[]) => {
    const values = logins.map(([player_id, ageMs, kind, code, server_id, ip, agent]) => ({
      player_id,
      at: sql<number>`${db.now} - ${ageMs}`,
      kind,
      code,
      server_id,
      ip,
      agent,
    }));
    return kysely.insertInto('player_login').values(values);
  }, 7);

  /** Sets the last login in the players' rows, unless a later one is there. `base` is the time the ages refer to. */
  const lastLogins = (base: Expression<number>) => (logins: LastLogin[]) => {
    const each = <T>(pick: (login: LastLogin) => T) =>
      sql<T>`case id ${sql.join(
        logins.map((login) => sql`when ${login[0]} then ${pick(login)}`),
        sql` `,
      )} end`;
    const at = sql<number>`${base} - ${each(([, ageMs]) => ageMs)}`;
    return (
      kysely
        .updateTable('player')
        .set({ last_login_at: at, last_login_ip: each(([, , ip]) => ip) })
        .where(
          'id',
          'in',
          logins.map(([playerId]) => playerId),
        )
        // A login may be written after its account was erased.
        .where('erased_at', 'is', null)
        .where(({ eb, or }) => or([eb('last_login_at', 'is', null), eb('last_login_at', '<', at)]))
    );
  };
  const keepLast = compiledForMany(lastLogins(db.now), 3);

  return {
    /** Inserts all or none, ordered by player, so that neighbours in the index are written together. */
    async insertAll(logins: readonly LoginValues[]): Promise<void> {
      const queries = [
        ...inCompiledSizes(byPlayer(logins)).map(insert),
        ...chunksOf(lastOf(logins), MAX_UPDATED).map(keepLast),
      ];
      if (queries.length === 1 && queries[0]) await kysely.executeQuery(queries[0]);
      else
        await db.transaction(async (trx) => {
          for (const query of queries) await trx.executeQuery(query);
        });
    },

    /** Appends logins to the unindexed journal, in the fewest possible pages. */
    async addToJournal(logins: readonly LoginValues[]): Promise<void> {
      await kysely
        .insertInto('player_login_journal')
        .values(chunksOf(logins, JOURNAL_CHUNK).map((chunk) => ({ logins: JSON.stringify(chunk) })))
        .execute();
    },

    /** Moves the oldest chunk of the journal into the table, on one instance only. Returns false if there is none. */
    async moveOldest(): Promise<boolean> {
      const [oldest] = await kysely
        .selectFrom('player_login_journal')
        .selectAll()
        .orderBy('created_at')
        .limit(1)
        .execute();
      if (!oldest) return false;
      const logins = byPlayer(JSON.parse(oldest.logins) as LoginValues[]);
      await db.transaction(async (trx) => {
        const { numDeletedRows } = await trx
          .deleteFrom('player_login_journal')
          .where('id', '=', oldest.id)
          .executeTakeFirst();
        if (numDeletedRows !== 1n) return;
        const values = logins.map(([player_id, ageMs, kind, code, server_id, ip, agent]) => ({
          player_id,
          at: oldest.created_at - ageMs,
          kind,
          code,
          server_id,
          ip,
          agent,
        }));
        await trx.insertInto('player_login').values(values).execute();
        const last = lastOf(logins);
        if (last.length > 0)
          await trx.executeQuery(lastLogins(sql<number>`${oldest.created_at}`)(last).compile());
      });
      return true;
    },

    /** Returns a player's last logins, newest first. */
    loginsOf(playerId: number, limit: number) {
      return kysely
        .selectFrom('player_login')
        .select(['at', 'kind', 'code', 'server_id as serverId', 'ip', 'agent'])
        .where('player_id', '=', playerId)
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
    },

    /** Records what a player did to the account, in the transaction of the change. */
    async recordEvent(trx: Trx, { playerId, kind, detail, address, userAgent }: PlayerEvent): Promise<void> {
      await trx
        .insertInto('player_event')
        .values({
          player_id: playerId,
          kind,
          detail: detail ?? null,
          ip: address,
          agent: userAgent?.slice(0, MAX_AGENT_LENGTH) ?? '',
        })
        .execute();
    },

    /** Returns what a player did to the account, newest first. */
    eventsOf(playerId: number, limit: number) {
      return kysely
        .selectFrom('player_event')
        .select(['at', 'kind', 'detail', 'ip', 'agent'])
        .where('player_id', '=', playerId)
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
    },

    /** Returns when the player last entered a zone, as far as the newest entries of the history reach. */
    async lastEntryOf(playerId: number): Promise<number | null> {
      const row = await kysely
        .selectFrom(({ selectFrom }) =>
          selectFrom('player_login')
            .select(['at', 'kind'])
            .where('player_id', '=', playerId)
            .orderBy('at', 'desc')
            .limit(ENTRY_AMONG)
            .as('newest'),
        )
        .select(({ fn }) => fn.max('at').as('at'))
        .where('kind', '=', 'enter')
        .executeTakeFirst();
      return row?.at ?? null;
    },

    deleteEventsOlderThan: sweepOlder(db, 'player_event', ['id'], 'at'),

    deleteOlderThan: sweepOlder(db, 'player_login', ['id'], 'at'),
  };
}

export type HistoryStore = ReturnType<typeof historyStore>;
export type RecordEvent = HistoryStore['recordEvent'];

/** Returns the last login of each player. `enter_game` records game entries itself. */
function lastOf(logins: readonly LoginValues[]): LastLogin[] {
  const last = new Map<number, LastLogin>();
  for (const [playerId, ageMs, kind, , , ip] of byPlayer(logins)) {
    if (kind !== 'login' && kind !== 'forum') continue;
    if (ageMs <= (last.get(playerId)?.[1] ?? ageMs)) last.set(playerId, [playerId, ageMs, ip]);
  }
  return [...last.values()];
}

const chunksOf = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );

const byPlayer = (logins: readonly LoginValues[]) => [...logins].sort(([a], [b]) => a - b);

/** Splits into groups of 256, 128, 64, … so that few statements are compiled for any number of logins. */
function inCompiledSizes(logins: readonly LoginValues[]): LoginValues[][] {
  const groups: LoginValues[][] = [];
  for (let start = 0, size = LARGEST_INSERT; start < logins.length; ) {
    if (logins.length - start < size) size /= 2;
    else {
      groups.push(logins.slice(start, start + size));
      start += size;
    }
  }
  return groups;
}
