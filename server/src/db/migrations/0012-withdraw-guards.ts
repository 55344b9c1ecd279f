import { bigint, int, optional } from '../ddl.ts';

export const withdrawGuards = {
  name: '0012-withdraw-guards',
  extensions: [
    // How many withdrawals of the player were refused that day.
    { table: 'withdraw_day', columns: { refused: int(0) } },
    // When the password was last reset, or the e-mail address changed.
    { table: 'player', columns: { reset_at: optional(bigint()) } },
  ],
};
