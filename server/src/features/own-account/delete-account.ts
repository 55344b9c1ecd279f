import { Refusal, refuseField } from '../../refusal.ts';
import { readableTime, timeText } from '../../runtime/time.ts';
import type { LiveSettings } from '../../settings/live.ts';
import type { AccountStore } from '../account/store.ts';
import type { UseCode } from '../codes/use-code.ts';
import type { NotifyPlayer } from '../notices/notify-player.ts';
import { type Owner, type RequirePassword, refOf } from './owner.ts';
import type { OwnAccountStore } from './store.ts';

export interface DeleteAccountParts {
  readonly own: Pick<OwnAccountStore, 'details' | 'scheduleDeletion'>;
  readonly players: Pick<AccountStore, 'allOrNothing'>;
  readonly requirePassword: RequirePassword;
  readonly useCode: UseCode;
  readonly settings: LiveSettings;
  readonly notifyPlayer: NotifyPlayer;
}

const DAY_MS = 24 * 3600 * 1000;

/** Schedules the erasure of the account. Repeating the request changes nothing; a login before then cancels it. */
export function deleteAccount(parts: DeleteAccountParts) {
  const { own, players, requirePassword, useCode, settings, notifyPlayer } = parts;

  async function deletionOf(playerId: number): Promise<number | null | undefined> {
    return (await own.details(playerId))?.deletionAt;
  }

  return async (
    owner: Owner,
    form: { readonly password?: string; readonly code: string },
  ): Promise<{ deletion_at: string }> => {
    const { playerId, address, language } = owner;
    await requirePassword(owner, { field: 'password', password: form.password });
    const email = (await own.details(playerId))?.email;
    // Without an address no code can have been sent.
    if (!email) throw refuseField('invalid_code', 'code');
    const code = await useCode({ email, code: form.code, purpose: 'delete', address });
    const { account, time_zone } = settings.current;
    await players.allOrNothing({
      async work(trx) {
        await code.consume(trx);
        if (!(await own.scheduleDeletion(trx, refOf(owner), account.deletion_days * DAY_MS)))
          throw new Refusal('invalid_token');
      },
      wasApplied: async () => (await deletionOf(playerId)) != null,
    });
    const at = await deletionOf(playerId);
    if (at == null) throw new Refusal('invalid_token');
    const notice = { kind: 'deletion', deletionAt: readableTime(time_zone, at) } as const;
    notifyPlayer({ playerId, notice, address, language });
    return { deletion_at: timeText(at) };
  };
}
