import { type SelectQueryBuilder, sql } from 'kysely';
import type { Db } from './open.ts';
import type { ChatRow, Database } from './schema.ts';

/** What a line says; the other columns are the store's own. */
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

/** Without the name it would take an index that has all lines of a zone. */
const UNINDEXED = sql<ChatRow>`chat`.as<'chat'>(sql`chat indexed by chat_unindexed`);

/**
 * Reads lines of the chat. On SQLite those of a burst are in few indexes at first, so they are read apart, by an index of
 * their own; before the others, because a line that is indexed in between is then found twice, not never. A limit holds
 * for each part, and so does an order.
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
