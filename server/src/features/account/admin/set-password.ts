import { randomBytes } from 'node:crypto';
import { type PasswordPolicy, refuseWeak } from '../../../security/password-policy.ts';
import type { PlayerPasswords } from '../../../security/player-passwords.ts';
import type { Actor } from '../../audit/entry.ts';
import type { TwoFactor } from '../../two-factor/two-factor.ts';
import {
  type ChangedPlayer,
  changePlayer,
  type NotifyParts,
  type OnPlayer,
  type PlayerAdminParts,
} from './change-player.ts';

export interface SetPasswordParts extends PlayerAdminParts, NotifyParts {
  readonly passwords: Pick<PlayerPasswords, 'hash'>;
  readonly policy: PasswordPolicy;
  readonly twoFactor: Pick<TwoFactor, 'remove'>;
}

export interface NewPassword extends OnPlayer {
  readonly player: { readonly account: string };
  readonly password: string;
}

/** Sets a password that meets the policy and ends every token. Neither password nor hash is recorded. */
export function setPassword({ policy, ...parts }: SetPasswordParts) {
  const replace = replacePassword(parts);
  return async (actor: Actor, { password, ...on }: NewPassword): Promise<ChangedPlayer | undefined> => {
    await refuseWeak(password, on.player.account, policy);
    return replace(actor, password, on);
  };
}

const TEMPORARY_BYTES = 12;

/** Sets a random password, which the operator passes on. The player is expected to change it. */
export function resetPassword(parts: Omit<SetPasswordParts, 'policy'>) {
  const replace = replacePassword(parts);
  return async (
    actor: Actor,
    on: OnPlayer,
  ): Promise<(ChangedPlayer & { temporaryPassword: string }) | undefined> => {
    const temporaryPassword = randomBytes(TEMPORARY_BYTES).toString('base64url');
    const changed = await replace(actor, temporaryPassword, on);
    return changed && { ...changed, temporaryPassword };
  };
}

/** Also removes the second factor, which may be lost: the operator vouches for the player. */
function replacePassword({ passwords, twoFactor, notifyPlayer, ...parts }: Omit<SetPasswordParts, 'policy'>) {
  const change = changePlayer(parts);
  return async (actor: Actor, password: string, on: OnPlayer) => {
    const passwordHash = await passwords.hash(password);
    let hadTwoFactor = false;
    const changed = await change(actor, on, {
      action: 'player.reset_password',
      next: ({ token_version }) => ({
        password_hash: passwordHash,
        token_version: token_version + 1,
        two_factor: 0,
      }),
      async alongside(trx, playerId) {
        hadTwoFactor = await twoFactor.remove(trx, { kind: 'player', id: playerId });
      },
    });
    if (!changed) return undefined;
    const { playerId } = changed;
    notifyPlayer?.({ playerId, notice: { kind: 'password' } });
    if (hadTwoFactor) notifyPlayer?.({ playerId, notice: { kind: 'two_factor_off' } });
    return changed;
  };
}
