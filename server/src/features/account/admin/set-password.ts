import { randomBytes } from 'node:crypto';
import { type PasswordPolicy, refuseWeak } from '../../../security/password-policy.ts';
import type { PlayerPasswords } from '../../../security/player-passwords.ts';
import type { Actor } from '../../audit/entry.ts';
import type { TwoFactor } from '../../two-factor/two-factor.ts';
import { type ChangedPlayer, changePlayer, type PlayerOrder, type PlayerStores } from './change-player.ts';

export interface PasswordChange extends PlayerStores {
  readonly passwords: Pick<PlayerPasswords, 'hash'>;
  readonly twoFactor: Pick<TwoFactor, 'remove'>;
}

export interface NewPassword extends PlayerOrder {
  readonly player: { readonly account: string };
  readonly password: string;
}

/** Sets a password that meets the policy and ends every token. Neither password nor hash is recorded. */
export function setPassword(deps: PasswordChange, policy: PasswordPolicy) {
  const replace = replacePassword(deps);
  return async (actor: Actor, { password, ...order }: NewPassword): Promise<ChangedPlayer> => {
    await refuseWeak(password, order.player.account, policy);
    return replace(actor, { password, isTemporary: false }, order);
  };
}

const TEMPORARY_BYTES = 12;

/** Sets a random password, which the operator passes on. The player is asked to change it at the next login. */
export function resetPassword(deps: PasswordChange) {
  const replace = replacePassword(deps);
  return async (actor: Actor, order: PlayerOrder) => {
    const temporaryPassword = randomBytes(TEMPORARY_BYTES).toString('base64url');
    return {
      ...(await replace(actor, { password: temporaryPassword, isTemporary: true }, order)),
      temporaryPassword,
    };
  };
}

/** Also removes the second factor, which may be lost: the operator vouches for the player. */
function replacePassword({ passwords, twoFactor, ...stores }: PasswordChange) {
  const change = changePlayer(stores);
  return async (
    actor: Actor,
    { password, isTemporary }: { readonly password: string; readonly isTemporary: boolean },
    order: PlayerOrder,
  ) => {
    const passwordHash = await passwords.hash(password);
    let hadTwoFactor = false;
    const changed = await change(actor, order, {
      action: 'player.reset_password',
      next: ({ token_version }) => ({
        password_hash: passwordHash,
        password_temporary: isTemporary ? 1 : 0,
        token_version: token_version + 1,
        two_factor: 0,
      }),
      async extraWrites(trx, { id }) {
        hadTwoFactor = await twoFactor.remove(trx, { kind: 'player', id });
      },
    });
    const { playerId } = changed;
    stores.notifyPlayer?.({ playerId, notice: { kind: 'password' } });
    if (hadTwoFactor) stores.notifyPlayer?.({ playerId, notice: { kind: 'two_factor_off' } });
    return changed;
  };
}

/** Turns off two-factor login for a player who has lost the second factor. Ends every token and keeps the password. */
export function resetTwoFactor({ twoFactor, ...stores }: PlayerStores & Pick<PasswordChange, 'twoFactor'>) {
  const change = changePlayer(stores);
  return async (actor: Actor, order: PlayerOrder): Promise<ChangedPlayer> => {
    const changed = await change(actor, order, {
      action: 'player.reset_two_factor',
      next: ({ two_factor, token_version }) =>
        two_factor === 0 ? {} : { two_factor: 0, token_version: token_version + 1 },
      extraWrites: (trx, { id }) => twoFactor.remove(trx, { kind: 'player', id }),
    });
    if (changed.auditId)
      stores.notifyPlayer?.({ playerId: changed.playerId, notice: { kind: 'two_factor_off' } });
    return changed;
  };
}
