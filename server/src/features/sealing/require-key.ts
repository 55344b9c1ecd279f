import { type PasswordHashes, type StoredPassword, storedIn } from '../../security/password-hashes.ts';
import { isSealed } from '../../security/sealer.ts';
import { BadSettings } from '../../settings/bad-settings.ts';

/** Prevents a start without the key: every login would fail with a wrong password. */
export function requireKey(newest: readonly StoredPassword[], hashes: PasswordHashes): void {
  const sealed = newest.filter((row) => isSealed(storedIn(row)));
  if (sealed.length === 0 || sealed.some((row) => hashes.openRow(row) !== '')) return;
  throw new BadSettings([
    {
      setting: 'auth.seal_key',
      message: 'does not open the password hashes in the database; put the key they were sealed with back',
    },
  ]);
}
