import { type Flavour, int } from '../ddl.ts';

const PARTIAL = [
  ['chat_account_received_at', '"account", "received_at"'],
  ['chat_role_received_at', '"role", "received_at"'],
  ['chat_channel_received_at', '"channel", "received_at"'],
  ['chat_received_at', '"received_at"'],
] as const;

/**
 * On SQLite, lines of a burst enter these indexes later, because SQLite writes a whole page per index entry. Until then they are
 * in a separate index. See docs/decisions/0023-chat-bursts.md.
 */
export const chatBursts = {
  name: '0063-chat-bursts',
  extensions: [{ table: 'chat', columns: { unindexed: int(0) } }],
  statements: (flavour: Flavour) =>
    flavour === 'sqlite'
      ? [
          ...PARTIAL.flatMap(([name, columns]) => [
            `DROP INDEX IF EXISTS "${name}"`,
            `CREATE INDEX "${name}" ON "chat" (${columns}) WHERE "unindexed" = 0`,
          ]),
          'CREATE INDEX IF NOT EXISTS "chat_unindexed" ON "chat" ("received_at") WHERE "unindexed" = 1',
        ]
      : [],
} as const;
