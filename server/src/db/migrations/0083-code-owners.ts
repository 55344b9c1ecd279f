import { int } from '../ddl.ts';

/** Wrong codes from the usual addresses of an account are counted apart, so that strangers cannot use the owner's tries up. */
export const codeOwners = {
  name: '0083-code-owners',
  extensions: [
    { table: 'verify', columns: { usual_attempts: int(0) } },
    // `told`: 1 once the owner was told that strangers have used up the tries of the day.
    { table: 'wrong_code', columns: { usual_n: int(0), told: int(0) } },
  ],
} as const;
