import type { Db } from '../../db/open.ts';
import type { Feature, FeatureContext } from '../../feature.ts';
import type { PasswordHashes } from '../../security/password-hashes.ts';
import { openSealing } from './admin/module.ts';
import { sealingStore } from './admin/store.ts';
import { requireKey } from './require-key.ts';

/** Refuses to start if sealed values cannot be opened. */
export async function requireSealKey({ db, hashes }: { db: Db; hashes: PasswordHashes }): Promise<void> {
  requireKey(await sealingStore(db).newestHashes(), hashes);
}

/** Warns of secrets that no key opens. Runs once beside the first requests, because there may be many. */
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
