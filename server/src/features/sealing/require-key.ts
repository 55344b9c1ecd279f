import type { PasswordHashes } from '../../security/password-hashes.ts';
import { isSealed } from '../../security/sealer.ts';
import { BadSettings } from '../../settings/bad-settings.ts';
import type { StoredHash } from './admin/store.ts';

/** Prevents a start without the key: every login would fail with a wrong password. */
export function requireKey(newest: readonly StoredHash[], hashes: PasswordHashes): void {
  const sealed = newest.filter(({ stored }) => isSealed(stored));
  if (sealed.length === 0 || sealed.some(({ id, stored }) => hashes.open(stored, id) !== '')) return;
  throw new BadSettings([
    {
      setting: 'auth.seal_key',
      message: 'does not open the password hashes in the database; put the key they were sealed with back',
    },
  ]);
}
