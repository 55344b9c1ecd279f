import { type Kysely, sql } from 'kysely';
import { CHAT_INSERT_MS, type ChatNames, indexChat } from '../chat-names.ts';
import { bigint, createTable, type Flavour, nowSql, type Table, text } from '../ddl.ts';

/** The chat by role and by channel. A job fills it, so that a report does not maintain two indexes that only operators use. */
const chatName = {
  name: 'chat_name',
  columns: { field: text(8), name: text(64), line_at: bigint(), line_id: bigint() },
  primaryKey: ['field', 'name', 'line_at', 'line_id'],
  // The first finds the newest line in the table and serves deletion by time, the second serves erasure.
  index: [['line_at', 'line_id'], ['line_id']],
} as const satisfies Table;

const BATCH = 5000;

/** On MariaDB and MySQL. See docs/decisions/0023-chat-bursts.md. */
export const chatNames = {
  name: '0101-chat-names',
  statements: (flavour: Flavour) => (flavour === 'sqlite' ? [] : createTable(chatName, flavour)),
  async fill(kysely: Kysely<ChatNames>, flavour: Flavour): Promise<void> {
    if (flavour === 'sqlite') return;
    // Other instances may still be writing the newest lines. The job adds them.
    const before = sql<number>`${sql.raw(nowSql('mysql'))} - ${CHAT_INSERT_MS}`;
    while ((await indexChat(kysely, before, BATCH)) > 0);
    const { rows } = await sql<{ name: string }>`
      select distinct index_name as name from information_schema.statistics
      where table_schema = database() and table_name = 'chat'
        and index_name in ('chat_role_received_at', 'chat_channel_received_at')`.execute(kysely);
    for (const { name } of rows) await sql`alter table chat drop index ${sql.ref(name)}`.execute(kysely);
  },
};
