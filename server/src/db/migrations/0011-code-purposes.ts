import { int, type Table, text } from '../ddl.ts';

/** Wrong codes tried per address and day, across all codes sent to it. */
const wrongCode = {
  name: 'wrong_code',
  columns: { day: text(10), email: text(254), n: int(0) },
  primaryKey: ['day', 'email'],
} as const satisfies Table;

export const codePurposes = {
  name: '0011-code-purposes',
  tables: [wrongCode],
  // Empty if the request named no purpose: valid for registration and for a new password.
  extensions: [{ table: 'verify', columns: { purpose: text(16, '') } }],
} as const;
