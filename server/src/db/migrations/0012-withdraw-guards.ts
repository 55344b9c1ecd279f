import { bigint, int, optional } from '../ddl.ts';

export const withdrawGuards = {
  name: '0012-withdraw-guards',
  extensions: [
    // Refused withdrawals of the player on that day.
    { table: 'withdraw_day', columns: { refused: int(0) } },
    // Time of the last password reset or e-mail change.
    { table: 'player', columns: { reset_at: optional(bigint()) } },
  ],
} as const;
