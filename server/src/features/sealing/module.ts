import type { Db } from '../../db/open.ts';
import type { Feature, FeatureContext } from '../../feature.ts';
import { type PasswordHashes, type StoredPassword, storedIn } from '../../security/password-hashes.ts';
import { isSealed } from '../../security/sealer.ts';
import { BadSettings } from '../../settings/bad-settings.ts';
import { openSealing } from './admin/module.ts';
import { sealingStore } from './admin/store.ts';

/** Refuses to start if sealed values cannot be opened. */
export async function requireSealKey({ db, hashes }: { db: Db; hashes: PasswordHashes }): Promise<void> {
  requireKey(await sealingStore(db).newestHashes(), hashes);
}

/** Warns of secrets that no key opens. Runs once, concurrently with the first requests, because there may be many. */
export function checkSealedSecrets({
  db,
  settings,
  log,
}: Pick<FeatureContext, 'db' | 'settings' | 'log'>): Feature {
  async function check(): Promise<void> {
    const { unreadable } = await openSealing({ db, settings: settings.current }).count();
    if (unreadable.size > 0)
      log.warn(
        { unreadable: Object.fromEntries(unreadable) },
        'secrets are sealed with a key that is not in auth.seal_key or auth.jwt_secret; put it back at the end of the list, then run: gatehouse player reseal',
      );
  }
  const checking = check().catch((err) => log.warn({ err }, 'the sealed secrets could not be read'));
  return { close: () => checking };
}

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
