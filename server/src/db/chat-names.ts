import { type Expression, type Kysely, sql } from 'kysely';

/** On MariaDB and MySQL, a line by its role or channel. */
export interface ChatNames {
  chat_name: { field: 'role' | 'channel'; name: string; line_at: number; line_id: number };
}

/** Longer than any insert of chat runs: the database or its client ends a statement earlier. */
export const CHAT_INSERT_MS = 20_000;

/** Returns the newest line in `chat_name`. */
export async function lastIndexed(kysely: Kysely<ChatNames>) {
  const last = await kysely
    .selectFrom('chat_name')
    .select(['line_at', 'line_id'])
    .orderBy('line_at', 'desc')
    .orderBy('line_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last ?? { line_at: 0, line_id: 0 };
}

/**
 * Adds a batch of lines from before a time to `chat_name`, oldest first. Returns their number. Lines of an insert that is
 * committed later would be left out, so the time must be one that all running inserts began after.
 */
export async function indexChat(
  kysely: Kysely<ChatNames>,
  before: Expression<number>,
  limit: number,
): Promise<number> {
  const { line_at, line_id } = await lastIndexed(kysely);
  const lines = sql`select id, role, channel, received_at from chat
    where received_at >= ${line_at} and (received_at > ${line_at} or id > ${line_id}) and received_at < ${before}
    order by received_at, id limit ${limit}`;
  const { numAffectedRows } = await sql`insert ignore into chat_name (field, name, line_at, line_id)
    select field, if(field = 'role', role, channel), received_at, id
    from (${lines}) as line cross join (select 'role' as field union all select 'channel') as fields`.execute(
    kysely,
  );
  // An erasure may have deleted lines, and their names, after the statement read them.
  await sql`delete chat_name from chat_name left join chat on chat.id = chat_name.line_id
    where chat_name.line_at >= ${line_at} and chat.id is null`.execute(kysely);
  return Number(numAffectedRows ?? 0) / 2;
}
