import { type Expression, type SelectQueryBuilder, sql } from 'kysely';
import { lastIndexed } from './chat-names.ts';
import type { Db } from './open.ts';
import type { Database } from './schema.ts';

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

export type ChatQuery<Row> = SelectQueryBuilder<Database, 'chat', Row>;

/** Forces the partial index. SQLite would otherwise pick an index over all lines of a zone. */
const UNINDEXED = sql<Database['chat']>`chat`.as<'chat'>(sql`chat indexed by chat_unindexed`);

/** The columns of a line's time and id, by which an index sorts. */
export interface ChatOrder {
  readonly at: Expression<number>;
  readonly id: Expression<number>;
}

export const CHAT_ORDER: ChatOrder = { at: sql.ref('received_at'), id: sql.ref('id') };
const NAME_ORDER: ChatOrder = { at: sql.ref('line_at'), id: sql.ref('line_id') };

/**
 * Reads chat lines. On SQLite the lines of a burst are missing from most indexes at first, so they are read by a separate index,
 * and first: a line indexed in between is then found twice instead of not at all. A limit or order applies to
 * each part.
 */
export async function readChat<Row extends { readonly id: number }>(
  { engine, kysely }: Db,
  select: (chat: ChatQuery<object>) => ChatQuery<Row>,
): Promise<Row[]> {
  if (engine === 'mysql') return select(kysely.selectFrom('chat')).execute();
  const unindexed = select(kysely.selectFrom(UNINDEXED).where('unindexed', '=', sql.lit(1)));
  const indexed = select(kysely.selectFrom('chat').where('unindexed', '=', sql.lit(0)));
  return readAll([unindexed, indexed]);
}

/** Reads one part after the other, and each line once. */
async function readAll<Row extends { readonly id: number }>(
  parts: readonly ChatQuery<Row>[],
): Promise<Row[]> {
  const found = new Map<number, Row>();
  for (const part of parts) for (const row of await part.execute()) found.set(row.id, row);
  return [...found.values()];
}

/** Reads only the newest lines, in their order. By the index of a zone, all of its lines would be read. */
const NEWEST = sql<Database['chat']>`chat`.as<'chat'>(sql`chat force index (chat_received_at)`);

/** The database joins the tables in this order: the other would read and sort all lines of a zone. */
const NAMED = sql<Database['chat'] & Database['chat_name']>`chat_name`.as<'chat'>(
  sql`chat_name straight_join chat on chat.id = chat_name.line_id`,
);

/**
 * Reads chat lines of a role or channel. On MariaDB and MySQL they are found by `chat_name`, and lines that are not in it yet by
 * their time. Those are read first, as in `readChat`.
 */
export async function readNamedChat<Row extends { readonly id: number }>(
  db: Db,
  { field, name }: Pick<Database['chat_name'], 'field' | 'name'>,
  select: (chat: ChatQuery<object>, order: ChatOrder) => ChatQuery<Row>,
): Promise<Row[]> {
  if (db.engine === 'sqlite') return readChat(db, (chat) => select(chat.where(field, '=', name), CHAT_ORDER));
  const { line_at } = await lastIndexed(db.kysely);
  const newest = select(
    db.kysely.selectFrom(NEWEST).where('received_at', '>=', line_at).where(field, '=', name),
    CHAT_ORDER,
  );
  const named = select(
    db.kysely.selectFrom(NAMED).where('field', '=', field).where('name', '=', name),
    NAME_ORDER,
  );
  return readAll([newest, named]);
}

/** Deletes lines. On MariaDB and MySQL their names too, once more afterwards: the index job may have added some meanwhile. */
export async function deleteChat({ engine, kysely }: Db, ids: readonly number[]): Promise<void> {
  const deleteNames = async () => {
    if (engine === 'mysql') await kysely.deleteFrom('chat_name').where('line_id', 'in', ids).execute();
  };
  await deleteNames();
  await kysely.deleteFrom('chat').where('id', 'in', ids).execute();
  await deleteNames();
}
