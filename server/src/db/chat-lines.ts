import { type SelectQueryBuilder, sql } from 'kysely';
import type { Db } from './open.ts';
import type { ChatRow, Database } from './schema.ts';

/** A line's content; the other columns are internal to the store. */
export const CHAT_COLUMNS = [
  'id',
  'server_id',
  'account',
  'role',
  'channel',
  'content',
  'sent_at',
  'received_at',
] as const;

type ChatQuery<Row> = SelectQueryBuilder<Database, 'chat', Row>;

/** Forces the partial index. SQLite would otherwise pick an index over all lines of a zone. */
const UNINDEXED = sql<ChatRow>`chat`.as<'chat'>(sql`chat indexed by chat_unindexed`);

/**
 * Reads chat lines. On SQLite the lines of a burst are missing from most indexes at first, so they are read separately, by an
 * index of their own. They are read first: a line indexed in between is then found twice instead of not at all. A limit or order
 * applies to each part.
 */
export async function readChat<Row extends { readonly id: number }>(
  { engine, kysely }: Db,
  select: (chat: ChatQuery<object>) => ChatQuery<Row>,
): Promise<Row[]> {
  if (engine === 'mysql') return select(kysely.selectFrom('chat')).execute();
  const unindexed = select(kysely.selectFrom(UNINDEXED).where('unindexed', '=', sql.lit(1)));
  const indexed = select(kysely.selectFrom('chat').where('unindexed', '=', sql.lit(0)));
  const found = new Map<number, Row>();
  for (const part of [unindexed, indexed]) for (const row of await part.execute()) found.set(row.id, row);
  return [...found.values()];
}
