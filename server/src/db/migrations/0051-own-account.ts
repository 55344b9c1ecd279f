import { bigint, optional, type Table, text } from '../ddl.ts';

/** Former names of erased or renamed accounts, as keyed hashes: they cannot be registered again, nor read. */
const erasedName = {
  name: 'erased_name',
  columns: { name_hash: text(64) },
  primaryKey: ['name_hash'],
} as const satisfies Table;

export const ownAccount = {
  name: '0051-own-account',
  tables: [erasedName],
  extensions: [
    {
      table: 'player',
      columns: {
        // When the account will be erased, unless its owner logs in first.
        deletion_at: optional(bigint()),
        // When it was erased; while `deletion_at` is still set, erasure is incomplete.
        erased_at: optional(bigint()),
        // When the owner of an account created by a forum login chose its name.
        name_chosen_at: optional(bigint()),
        // When the last withdrawal mail was sent to the player.
        withdrawal_told_at: optional(bigint()),
      },
      index: [['deletion_at'], ['erased_at']],
    },
  ],
} as const;
