import { Refusal, refuseField } from '../../refusal.ts';
import { accountKey } from '../../security/account-key.ts';
import type { LoginThrottle } from '../../security/login-throttle.ts';
import { refuseWeak } from '../../security/password-policy.ts';
import type { Passwords } from '../../security/passwords.ts';
import type { LiveSettings } from '../../settings/live.ts';
import { normaliseEmail } from '../codes/send-code.ts';
import type { UseCode } from '../codes/use-code.ts';
import type { NotifyPlayer, Origin } from '../notices/notify-player.ts';
import type { AccountStore, Player } from './store.ts';

export interface ResetParts {
  readonly players: AccountStore;
  readonly useCode: UseCode;
  readonly passwords: Passwords;
  readonly throttle: LoginThrottle;
  readonly settings: LiveSettings;
  readonly notifyPlayer: NotifyPlayer;
}

export interface Reset {
  readonly email: string;
  readonly code: string;
  readonly password: string;
  readonly account?: string;
}

/** Sets a new password with a code sent to the account's e-mail address. Ends the old md5 token and every earlier JWT. */
export function resetPassword(parts: ResetParts) {
  const { players, useCode, passwords, throttle, settings, notifyPlayer } = parts;
  return async (form: Reset, origin: Origin): Promise<{ account: string }> => {
    const { address } = origin;
    const email = normaliseEmail(form.email);
    const code = await useCode({ email, code: form.code, purpose: 'reset', address });
    const player = choose(await players.findByEmail(email), form.account);
    await refuseWeak(form.password, player.account, settings.current.auth);

    const passwordHash = passwords.hash(form.password);
    await players.allOrNothing({
      async work(trx) {
        await code.consume(trx);
        await players.setPassword(trx, player.id, passwordHash);
        await players.markReset(trx, player.id);
      },
      wasApplied: async () => (await players.findById(player.id))?.passwordHash === passwordHash,
    });
    await throttle.forget(accountKey(player.account), address);
    notifyPlayer({ playerId: player.id, notice: { kind: 'password' }, ...origin });
    return { account: player.account };
  };
}

/** Old data may have several accounts for one address; then the owner says which. */
function choose(candidates: readonly Player[], named: string | undefined): Player {
  const matching =
    named === undefined
      ? candidates
      : candidates.filter((each) => accountKey(each.account) === accountKey(named));
  const [player, ...others] = matching;
  if (!player) throw new Refusal('account_not_found');
  if (others.length > 0) throw refuseField('account_required', 'account');
  return player;
}
