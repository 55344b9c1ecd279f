import { groupWriter } from '../../db/group-writer.ts';
import type { Db } from '../../db/open.ts';
import { type HashChange, hashWriter } from '../../db/password-hash.ts';
import { doneWithin } from '../../runtime/with-timeout.ts';
import type { PasswordHashes } from '../../security/password-hashes.ts';

const MAX_GROUP_SIZE = 64;
const MAX_WAIT_MS = 250;

interface StoredHash {
  readonly id: number;
  readonly storedHash: string;
  readonly passwordHash: string;
}

/**
 * Seals the hash of a player who has proven the password. Concurrent ones are batched into one statement. Never fails a login:
 * a slow write continues in the background, and a failed one is retried at the next login.
 */
export function hashSealer(db: Db, hashes: PasswordHashes): (player: StoredHash) => Promise<void> {
  const write = hashWriter(db);
  const writer = groupWriter<HashChange>(MAX_GROUP_SIZE, (changes) => write(db.kysely, changes));
  return async ({ id, storedHash, passwordHash }) => {
    if (hashes.isCurrent(storedHash, id)) return;
    const change = { id, from: storedHash, to: hashes.seal(passwordHash, id) };
    await doneWithin(writer.write([change]), MAX_WAIT_MS).catch(() => {});
  };
}
