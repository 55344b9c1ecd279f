import type { Db } from '../../db/open.ts';
import { changedOne } from '../../db/unchanged.ts';

const WITHDRAWAL_INTERVAL_MS = 60_000;

export function noticeStore({ kysely, now }: Db) {
  return {
    recipient(playerId: number): Promise<{ account: string; email: string } | undefined> {
      return kysely
        .selectFrom('player')
        .select(['account', 'email'])
        .where('id', '=', playerId)
        .executeTakeFirst();
    },

    /** Returns true at most once a minute for a player across all instances. */
    async mayTellOfWithdrawal(playerId: number): Promise<boolean> {
      return kysely
        .updateTable('player')
        .set({ withdrawal_told_at: now })
        .where('id', '=', playerId)
        .where(({ eb, or }) =>
          or([
            eb('withdrawal_told_at', 'is', null),
            eb('withdrawal_told_at', '<=', eb(now, '-', WITHDRAWAL_INTERVAL_MS)),
          ]),
        )
        .$call(changedOne);
    },
  };
}

export type NoticeStore = ReturnType<typeof noticeStore>;
