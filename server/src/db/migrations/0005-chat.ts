import { bigint, createdAt, optional, serial, type Table, text } from '../ddl.ts';

const chat = {
  name: 'chat',
  columns: {
    id: serial,
    server_id: bigint(),
    account: text(64, ''),
    role: text(64, ''),
    channel: text(32, ''),
    content: text(2000),
    sent_at: optional(bigint()),
    received_at: createdAt,
  },
  // The last index serves deletion by retention.
  index: [['server_id', 'received_at'], ['account', 'received_at'], ['received_at']],
} as const satisfies Table;

export const chatRecords = { name: '0005-chat', tables: [chat] };
