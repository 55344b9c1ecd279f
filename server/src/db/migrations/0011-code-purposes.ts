import { int, type Table, text } from '../ddl.ts';

/** How many wrong codes were tried for an address on a day, over all the codes it was sent. */
const wrongCode: Table = {
  name: 'wrong_code',
  columns: { day: text(10), email: text(254), n: int(0) },
  primaryKey: ['day', 'email'],
};

export const codePurposes = {
  name: '0011-code-purposes',
  tables: [wrongCode],
  // Empty where the request named none: good for a registration and for a new password.
  extensions: [{ table: 'verify', columns: { purpose: text(16, '') } }],
};
