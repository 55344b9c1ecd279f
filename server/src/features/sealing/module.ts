import type { Db } from '../../db/open.ts';
import type { PasswordHashes } from '../../security/password-hashes.ts';
import { sealingStore } from './admin/store.ts';
import { requireKey } from './require-key.ts';

/** Refuses to start if sealed values cannot be opened. */
export async function requireSealKey({ db, hashes }: { db: Db; hashes: PasswordHashes }): Promise<void> {
  requireKey(await sealingStore(db).newestHashes(), hashes);
}
