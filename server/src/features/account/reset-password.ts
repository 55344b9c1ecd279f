import { Refusal, refuseField } from '../../refusal.ts';
import { accountKey } from '../../security/account-key.ts';
import { plainId } from '../../security/masking.ts';
import { refuseWeak } from '../../security/password-policy.ts';
import { enabledProviders } from '../../settings/forum-provider.ts';
import { normaliseEmail } from '../codes/send-code.ts';
import type { Notice, Origin } from '../notices/notify-player.ts';
import type { AccountDeps } from './deps.ts';
import type { Player } from './player-store.ts';
import type { Visitor } from './session.ts';

export interface Reset {
  readonly email: string;
  readonly code: string;
  readonly password: string;
  readonly account?: string;
  /** Whether to remove the bindings too: a previous holder may have linked an account of their own. */
  readonly unbind?: boolean;
}

/** Sets a new password with a code sent to the account's e-mail address. Ends the md5 token and every earlier JWT. */
export function resetPassword(deps: AccountDeps) {
  const { players, useCode, passwords, throttle, settings, notifyPlayer, recordEvent, bindings } = deps;

  /** Lists the linked accounts, which can still log in or were just removed. */
  const noticeOf = (linked: readonly { provider: string; connectId: string }[], ended: boolean): Notice => {
    const names = new Map(enabledProviders(settings.current).map(({ id, name }) => [id, name]));
    const accounts = linked.map(
      ({ provider, connectId }) => `${names.get(provider) ?? provider} (${plainId(connectId)})`,
    );
    return { kind: 'password', ...(accounts.length > 0 && { linked: { accounts, ended } }) };
  };

  return async (form: Reset, { userAgent, ...origin }: Origin & Visitor): Promise<{ account: string }> => {
    const { address } = origin;
    const email = normaliseEmail(form.email);
    const presented = { email, code: form.code, purpose: 'reset', address } as const;
    const { player, linked } = await useCode(presented, async () => {
      const player = choose(await players.findByEmail(email), form.account);
      await refuseWeak(form.password, player.account, settings.current.auth);

      const linked = await bindings.of(player.id);
      const passwordHash = await passwords.hash(form.password);
      return {
        async work(trx) {
          if (!(await players.resetPassword(trx, { id: player.id, email }, passwordHash)))
            throw refuseField('invalid_code', 'code');
          await players.markReset(trx, player.id);
          await recordEvent(trx, { playerId: player.id, kind: 'password_reset', address, userAgent });
          if (form.unbind) await bindings.removeAll(trx, player.id);
          return { player, linked };
        },
        async wasApplied() {
          const now = await players.findById(player.id);
          return now?.passwordHash === passwordHash && now.tokenVersion !== player.tokenVersion;
        },
      };
    });
    await throttle.forget(accountKey(player.account), address);
    notifyPlayer({ playerId: player.id, notice: noticeOf(linked, form.unbind ?? false), ...origin });
    return { account: player.account };
  };
}

/** Selects the account. Old data may have several accounts per address; then the request must name one. */
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
