import { type PasswordPolicy, refuseWeak } from '../../../security/password-policy.ts';
import type { Passwords } from '../../../security/passwords.ts';
import type { Actor } from '../../audit/entry.ts';
import { changePlayer, type OnAccount, type PlayerAdminParts } from './change-player.ts';

export interface SetPasswordParts extends PlayerAdminParts {
  readonly passwords: Passwords;
  readonly policy: PasswordPolicy;
}

export interface NewPassword extends OnAccount {
  readonly password: string;
}

/** Gives an account another password, held to the policy. Ends every token; neither password nor hash is recorded. */
export function setPassword({ passwords, policy, ...parts }: SetPasswordParts) {
  const change = changePlayer(parts);
  return async (actor: Actor, { password, ...order }: NewPassword): Promise<boolean> => {
    await refuseWeak(password, order.account, policy);
    const passwordHash = passwords.hash(password);
    return change(actor, 'player.reset_password', order, ({ token_version }) => ({
      password_hash: passwordHash,
      token_version: token_version + 1,
    }));
  };
}
