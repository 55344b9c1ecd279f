import type { Session } from '@gatehouse/contract';
import { refuseWeak } from '../../security/password-policy.ts';
import type { PlayerPasswords } from '../../security/player-passwords.ts';
import type { LiveSettings } from '../../settings/live.ts';
import type { NotifyPlayer } from '../notices/notify-player.ts';
import { type Owner, type RequirePassword, refOf } from './owner.ts';
import { type RenewParts, renewSession } from './renew-session.ts';
import type { OwnAccountStore } from './store.ts';

export interface ChangePasswordParts extends RenewParts {
  readonly own: Pick<OwnAccountStore, 'setPassword'>;
  readonly requirePassword: RequirePassword;
  readonly passwords: PlayerPasswords;
  readonly settings: LiveSettings;
  readonly notifyPlayer: NotifyPlayer;
}

/** Changes the password. Ends the md5 token and every other JWT and ticket. */
export function changePassword(parts: ChangePasswordParts) {
  const { own, requirePassword, passwords, settings, notifyPlayer } = parts;
  const renew = renewSession(parts);
  return async (
    owner: Owner,
    { old_password, password }: { readonly old_password?: string; readonly password: string },
  ): Promise<Session> => {
    await requirePassword(owner, { field: 'old_password', password: old_password });
    await refuseWeak(password, owner.account, settings.current.auth);
    const passwordHash = await passwords.hash(password);
    const session = await renew(owner, {
      change: (trx) => own.setPassword(trx, refOf(owner), passwordHash),
      isChanged: (player) => player.passwordHash === passwordHash,
    });
    const { playerId, address, language } = owner;
    notifyPlayer({ playerId, notice: { kind: 'password' }, address, language });
    return session;
  };
}
