import { Refusal, refuseField } from '../../refusal.ts';
import { accountKey } from '../../security/account-key.ts';

export function refuseReserved(account: string, reserved: readonly string[]): void {
  const key = accountKey(account);
  if (reserved.some((name) => accountKey(name) === key)) {
    throw refuseField('account_taken', 'account', { variant: 'reserved' });
  }
}

export async function refuseDisposable(email: string): Promise<void> {
  const { isDisposableEmail } = await import('disposable-email-domains-js');
  if (isDisposableEmail(email))
    throw new Refusal('invalid_request', { errors: [{ field: 'email', message: 'disposable' }] });
}
