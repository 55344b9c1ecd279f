import { bigint, optional, type Table, text } from '../ddl.ts';

/** Names that accounts had before they were erased or renamed, as keyed hashes: nobody gets them again, nor can read them. */
const erasedName: Table = {
  name: 'erased_name',
  columns: { name_hash: text(64) },
  primaryKey: ['name_hash'],
};

export const ownAccount = {
  name: '0051-own-account',
  tables: [erasedName],
  extensions: [
    {
      table: 'player',
      columns: {
        // When the account will be erased, unless its owner logs in before.
        deletion_at: optional(bigint()),
        // When it was erased; while `deletion_at` still stands, some of it is left.
        erased_at: optional(bigint()),
        // When the owner of an account that a forum made chose its name.
        name_chosen_at: optional(bigint()),
        // When the player was last told of a withdrawal by mail.
        withdrawal_told_at: optional(bigint()),
      },
      index: [['deletion_at'], ['erased_at']],
    },
  ],
};
