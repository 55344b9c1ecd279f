import { sql } from 'kysely';
import { deleteOldest } from '../../db/delete-in-batches.ts';
import type { Db } from '../../db/open.ts';
import { compiledBySize } from '../../db/prepared.ts';

export type LoginDetails = [
  kind: string,
  code: string | null,
  serverId: number | null,
  ip: string,
  agent: string,
];

/** A login as it is written: its age instead of its time, because the database's clock decides. */
export type LoginValues = [playerId: number, ageMs: number, ...LoginDetails];

export interface LoginEntry {
  readonly at: number;
  readonly kind: string;
  readonly code: string | null;
  readonly serverId: number | null;
  readonly ip: string;
  readonly agent: string;
}

/** As many as fit into a column of 64 KiB, whatever their user agents are. */
const JOURNAL_CHUNK = 80;
const LARGEST_INSERT = 256;

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

  return {
    /** All or none. In the order of players, so that neighbours in the index are written together. */
    async insertAll(logins: readonly LoginValues[]): Promise<void> {
      const groups = inCompiledSizes(byPlayer(logins));
      if (groups.length === 1 && groups[0]) await kysely.executeQuery(insert(groups[0]));
      else
        await db.transaction(async (trx) => {
          for (const group of groups) await trx.executeQuery(insert(group));
        });
    },

    /** Keeps them where nothing is indexed, in the fewest possible pages. */
    async addToJournal(logins: readonly LoginValues[]): Promise<void> {
      const chunks = Array.from({ length: Math.ceil(logins.length / JOURNAL_CHUNK) }, (_, index) =>
        logins.slice(index * JOURNAL_CHUNK, (index + 1) * JOURNAL_CHUNK),
      );
      await kysely
        .insertInto('player_login_journal')
        .values(chunks.map((chunk) => ({ logins: JSON.stringify(chunk) })))
        .execute();
    },

    /** Moves the oldest chunk of the journal into the table, on one instance only; false when there is none. */
    async moveOldest(): Promise<boolean> {
      const [oldest] = await kysely
        .selectFrom('player_login_journal')
        .selectAll()
        .orderBy('id')
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
      });
      return true;
    },

    /** A player's last ones, newest first. */
    loginsOf(playerId: number, limit: number): Promise<LoginEntry[]> {
      return kysely
        .selectFrom('player_login')
        .select(['at', 'kind', 'code', 'server_id as serverId', 'ip', 'agent'])
        .where('player_id', '=', playerId)
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
    },

    /** Ids of other players who came from an address. */
    async othersAt(ip: string, playerId: number, limit: number): Promise<number[]> {
      const rows = await kysely
        .selectFrom('player_login')
        .select('player_id')
        .where('ip', '=', ip)
        .where('player_id', '!=', playerId)
        .groupBy('player_id')
        .orderBy('player_id', 'desc')
        .limit(limit)
        .execute();
      return rows.map((row) => row.player_id);
    },

    /** Deletes a bounded number of the oldest that are past their retention. */
    deleteOlderThan: (ageMs: number, limit: number) =>
      deleteOldest(db, {
        table: 'player_login',
        key: ['id'],
        column: 'at',
        before: sql`${db.now} - ${ageMs}`,
        limit,
      }),
  };
}

export type HistoryStore = ReturnType<typeof historyStore>;

const byPlayer = (logins: readonly LoginValues[]) => [...logins].sort(([a], [b]) => a - b);

/** Groups of 256, 128, 64, … so that few statements are compiled, whatever the number of logins. */
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
