import { refuseField } from '../refusal.ts';
import { lazy } from '../runtime/lazy.ts';
import { accountKey } from './account-key.ts';

export interface PasswordPolicy {
  readonly password_min: number;
  readonly password_max: number;
  readonly refuse_common_passwords: boolean;
}

/** Refuses a new password that is too short, too long, the account's own name, or a common one. */
export async function refuseWeak(password: string, account: string, policy: PasswordPolicy): Promise<void> {
  const length = [...password].length;
  const { password_min: min, password_max: max } = policy;
  const weak = (variant: string, params = {}) =>
    refuseField('weak_password', 'password', { variant, params });
  if (length < min || length > max) throw weak('length', { min, max });
  if (accountKey(password) === accountKey(account)) throw weak('account');
  if (policy.refuse_common_passwords && (await commonPasswords()).has(password.toLowerCase()))
    throw weak('common');
}

/** Loads on first use: fifty thousand words would slow down every start. */
const commonPasswords = lazy(async () => {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].map(String));
});
