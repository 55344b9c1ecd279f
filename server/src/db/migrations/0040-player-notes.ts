import { bigint, createdAt, serial, type Table, text } from '../ddl.ts';

const playerNote = {
  name: 'player_note',
  columns: { id: serial, player_id: bigint(), text: text(2000), by: text(64), at: createdAt },
  index: [['player_id']],
} as const satisfies Table;

export const playerNotes = {
  name: '0040-player-notes',
  tables: [playerNote],
  // One per filter of the operators' list, and one to find registrations from an address.
  extensions: [{ table: 'player', index: [['status'], ['agent_id'], ['ip']] }],
} as const;
