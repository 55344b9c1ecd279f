import { sql } from 'kysely';
import { CHAT_INSERT_MS, indexChat } from '../../db/chat-names.ts';
import { deleteOldest } from '../../db/delete-in-batches.ts';
import { compiledBySize } from '../../db/lookup.ts';
import type { Db } from '../../db/open.ts';

export interface ChatLine {
  readonly serverId: number;
  readonly role: string;
  readonly account: string;
  readonly channel: string;
  readonly content: string;
  readonly sentAt: number | null;
}

type Values = [
  serverId: number,
  role: string,
  account: string,
  channel: string,
  content: string,
  sentAt: number | null,
];

/**
 * Single reports are written in groups of few sizes, each compiled once. Larger groups are batches, which are worth compiling
 * each time.
 */
const MAX_COMPILED = 64;

/** This many lines at once are a burst, which SQLite adds to most indexes later. */
const BURST = 16;

export function chatStore(db: Db, { insertMs = CHAT_INSERT_MS } = {}) {
  const { engine, kysely } = db;
  const insert = (unindexed: 0 | 1) => (lines: Values[]) =>
    kysely.insertInto('chat').values(
      lines.map(([server_id, role, account, channel, content, sent_at]) => ({
        server_id,
        role,
        account,
        channel,
        content,
        sent_at,
        ...(engine === 'sqlite' && { unindexed: sql.lit(unindexed) }),
      })),
    );
  const insertCompiled = [compiledBySize(insert(0), 6), compiledBySize(insert(1), 6)] as const;

  async function indexBursts(limit: number): Promise<number> {
    const rows = await kysely
      .selectFrom('chat')
      .select('id')
      .where('unindexed', '=', sql.lit(1))
      .orderBy('received_at')
      .limit(limit)
      .execute();
    if (rows.length === 0) return 0;
    const ids = rows.map((row) => row.id);
    await kysely.updateTable('chat').set({ unindexed: 0 }).where('id', 'in', ids).execute();
    return ids.length;
  }

  return {
    /** Inserts all or none, durable when it returns. */
    async insertAll(lines: readonly ChatLine[]): Promise<void> {
      const values = lines.map(
        (line): Values => [line.serverId, line.role, line.account, line.channel, line.content, line.sentAt],
      );
      const unindexed = engine === 'sqlite' && lines.length >= BURST ? 1 : 0;
      if (values.length > MAX_COMPILED) await insert(unindexed)(values).execute();
      else await kysely.executeQuery(insertCompiled[unindexed](values));
    },

    /** Adds a bounded number of the oldest unindexed lines to the indexes. Returns how many. */
    async indexOldest(limit: number): Promise<number> {
      return engine === 'mysql'
        ? indexChat(kysely, sql<number>`${db.now} - ${insertMs}`, limit)
        : indexBursts(limit);
    },

    /** Deletes a bounded number of the oldest lines that are past their retention. */
    deleteOlderThan: (ageMs: number, limit: number) =>
      deleteOldest(db, {
        table: 'chat',
        key: ['id'],
        column: 'received_at',
        before: sql`${db.now} - ${ageMs}`,
        only: sql`unindexed = 0`,
        limit,
      }),

    /** Deletes a bounded number of index entries whose lines are deleted, oldest first. */
    async deleteOldNames(limit: number): Promise<number> {
      if (engine === 'sqlite') return 0;
      const { numAffectedRows } = await sql`delete from chat_name
        where line_at < (select coalesce(min(received_at), ${Number.MAX_SAFE_INTEGER}) from chat)
        order by line_at limit ${limit}`.execute(kysely);
      return Number(numAffectedRows ?? 0);
    },
  };
}

export type ChatStore = ReturnType<typeof chatStore>;
