import { availableParallelism } from 'node:os';
import { forEachConcurrent } from '../../../runtime/concurrency.ts';
import { createArgon2Passwords } from '../../../security/argon2.ts';
import type { PasswordHashes } from '../../../security/password-hashes.ts';
import { isUsableHash } from '../../../security/passwords.ts';
import { isSealed } from '../../../security/sealer.ts';
import type { Actor } from '../../audit/entry.ts';
import type { RewriteDeps, RewriteRun } from './rewrite.ts';
import type { Rehashed, StoredHash } from './store.ts';

/** Node computes at most four hashes at once. Each takes 19 MiB. */
const CONCURRENCY = Math.min(4, availableParallelism());

/**
 * Replaces every md5 hash by argon2id over it. Finished pages stay: a stopped run is started again and continues with the rest.
 * It is recorded with its first change, because a row at the end would be missing if it was killed.
 */
export function rehash({ store, audit, hashes }: RewriteDeps & { readonly hashes: PasswordHashes }) {
  const argon2 = createArgon2Passwords({ atOnce: CONCURRENCY });

  async function rehashed(rows: readonly StoredHash[], { tally }: RewriteRun): Promise<Rehashed[]> {
    const changes: Rehashed[] = [];
    await forEachConcurrent(rows, CONCURRENCY, async ({ id, stored }) => {
      const md5 = hashes.open(stored, id).toLowerCase();
      if (!isUsableHash(md5)) {
        if (isSealed(stored)) tally.unreadable++;
        return;
      }
      const hash = await argon2.hash(md5);
      changes.push({ id, stored, md5, argon2: hash, columns: hashes.columnsOf(hash, id) });
    });
    // Sort by id, so that all writers lock rows in the same order.
    return changes.sort((a, b) => a.id - b.id);
  }

  return async (actor: Actor, run: RewriteRun): Promise<'complete' | 'stopped'> => {
    const { stopping, tally, reason } = run;
    const lastId = await store.lastId();
    let recorded = false;
    for (let after = 0; ; ) {
      const rows = await store.md5After(after);
      const last = rows.at(-1);
      if (last === undefined) return 'complete';
      if (stopping()) return 'stopped';
      const changes = await rehashed(rows, run);
      if (changes.length > 0)
        await audit.transaction(actor, async (trx, append) => {
          await store.replaceMd5(trx, changes);
          if (recorded) return;
          await append({ action: 'player.rehash', reason, after: { hashes: 'argon2id' } });
        });
      recorded ||= changes.length > 0;
      after = last.id;
      tally.read += rows.length;
      tally.changed += changes.length;
      tally.fraction = Math.min(1, after / lastId);
    }
  };
}
