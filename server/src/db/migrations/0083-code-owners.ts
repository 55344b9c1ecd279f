import { int } from '../ddl.ts';

/**
 * Wrong codes from the usual addresses of an account are counted separately, so that strangers cannot use up the owner's tries.
 */
export const codeOwners = {
  name: '0083-code-owners',
  extensions: [
    { table: 'verify', columns: { usual_attempts: int(0) } },
    // `told`: 1 once the owner was notified that strangers have used up the tries of the day.
    { table: 'wrong_code', columns: { usual_n: int(0), told: int(0) } },
  ],
} as const;
