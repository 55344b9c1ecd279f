import type { OwnAccount } from '@gatehouse/contract/own-account';
import { Refusal, refuseField } from '../../refusal.ts';
import type { LiveSettings } from '../../settings/live.ts';
import { refuseDisposable } from '../account/policy.ts';
import type { AccountStore } from '../account/store.ts';
import { normaliseEmail } from '../codes/send-code.ts';
import type { UseCode } from '../codes/use-code.ts';
import type { NotifyPlayer } from '../notices/notify-player.ts';
import { type Owner, type RequirePassword, refOf } from './owner.ts';
import { type ShowAccountParts, showAccount } from './show-account.ts';
import type { OwnAccountStore } from './store.ts';

export interface ChangeEmailParts extends ShowAccountParts {
  readonly own: Pick<OwnAccountStore, 'details' | 'setEmail'>;
  readonly players: Pick<AccountStore, 'allOrNothing' | 'findByEmail' | 'markReset'>;
  readonly requirePassword: RequirePassword;
  readonly useCode: UseCode;
  readonly settings: LiveSettings;
  readonly notifyPlayer: NotifyPlayer;
}

interface NewEmail {
  readonly email: string;
  readonly code: string;
  readonly password?: string;
}

/** Changes the e-mail address to one that a code was sent to and that no other account has. Notifies the old address. */
export function changeEmail(parts: ChangeEmailParts) {
  const { own, players, requirePassword, useCode, settings, notifyPlayer } = parts;
  const show = showAccount(parts);

  return async (owner: Owner, form: NewEmail): Promise<OwnAccount> => {
    const { playerId, address, language } = owner;
    const email = normaliseEmail(form.email);
    await requirePassword(owner, { field: 'password', password: form.password });
    if (settings.current.mail.refuse_disposable) await refuseDisposable(email);
    const code = await useCode({ email, code: form.code, purpose: 'email', address });
    // Accounts in old data may share an address, but a change must not create such a case.
    if ((await players.findByEmail(email)).some(({ id }) => id !== playerId)) throw emailTaken();
    const old = (await own.details(playerId))?.email;
    await players.allOrNothing({
      async work(trx) {
        await code.consume(trx);
        const changed = await own.setEmail(trx, refOf(owner), email);
        if (changed === 'taken') throw emailTaken();
        if (!changed) throw new Refusal('invalid_token');
        await players.markReset(trx, playerId);
      },
      wasApplied: async () => (await own.details(playerId))?.email === email,
    });
    if (old && old !== email)
      notifyPlayer({ playerId, notice: { kind: 'email', email }, address, language, to: old });
    return show(playerId);
  };
}

const emailTaken = () => refuseField('email_taken', 'email');
