import { groupWriter } from '../../db/group-writer.ts';
import type { Db } from '../../db/open.ts';
import { type HashChange, hashWriter } from '../../db/password-hash.ts';
import { unchanged } from '../../db/unchanged.ts';
import { doneWithin } from '../../runtime/with-timeout.ts';
import type { PasswordHashes, StoredPassword } from '../../security/password-hashes.ts';

const MAX_GROUP_SIZE = 64;
const MAX_WAIT_MS = 250;

interface ProvenPlayer {
  readonly stored: StoredPassword;
  readonly passwordHash: string;
}

/**
 * Rewrites the hash of a player who has proven the password. Never fails a login: a slow write continues in the background, and
 * a failed one is retried at the next login.
 */
export function hashRewriter(db: Db, hashes: PasswordHashes) {
  const write = hashWriter(db);
  const writer = groupWriter<HashChange>(MAX_GROUP_SIZE, (changes) => write(db.kysely, changes));
  const inTime = (work: Promise<unknown>) => doneWithin(work, MAX_WAIT_MS).catch(() => {});

  async function replace(stored: StoredPassword, hash: Promise<string>): Promise<void> {
    const { id, password_hash, password_argon2 } = stored;
    await db.kysely
      .updateTable('player')
      .set(hashes.columnsOf(await hash, id))
      .where(unchanged({ id, password_hash, password_argon2 }))
      .execute();
  }

  return {
    /** Seals a hash that is plain or sealed with an older key. Concurrent md5 hashes are batched into one statement. */
    async sealHash({ stored, passwordHash }: ProvenPlayer): Promise<void> {
      if (hashes.isRowCurrent(stored)) return;
      const { id, password_hash: from } = stored;
      await inTime(
        from === ''
          ? replace(stored, Promise.resolve(passwordHash))
          : writer.write([{ id, from, to: hashes.seal(passwordHash, id) }]),
      );
    },

    /** Replaces the hash with one of the other kind, which is still being computed. */
    replaceHash: async ({ stored }: ProvenPlayer, hash: Promise<string>): Promise<void> => {
      await inTime(replace(stored, hash));
    },
  };
}
