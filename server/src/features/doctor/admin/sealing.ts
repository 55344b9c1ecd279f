import { createPasswordHashes } from '../../../security/password-hashes.ts';
import { isSealed } from '../../../security/sealer.ts';
import type { Settings } from '../../../settings/schema.ts';
import type { DoctorStore } from '../store.ts';
import { type Finding, failed, ok, warning } from './finding.ts';

/** Examines whether the password hashes in the database are sealed and can be opened. */
export async function examineSealing(
  { auth }: Settings,
  { someHashes }: Pick<DoctorStore, 'someHashes'>,
): Promise<Finding> {
  const hashes = createPasswordHashes(auth.seal_key);
  const rows = await someHashes();
  const lost = rows.filter(({ id, stored }) => isSealed(stored) && hashes.open(stored, id) === '');
  if (lost.length > 0)
    return failed(
      CHECK,
      `cannot decrypt the password hashes of ${lost.length} of ${rows.length} players checked: they cannot log in`,
      'add the key they were sealed with to the list again; it is in the settings file from when they were sealed',
    );
  if (!hashes.sealing)
    return warning(
      CHECK,
      'is not set: a copy of the database is enough to guess passwords',
      'create one with: openssl rand -base64 48, set it on every instance, keep a copy separate from the backups, then run: gatehouse player seal',
    );
  const waiting = rows.filter(({ id, stored }) => !hashes.isCurrent(stored, id));
  if (waiting.length === 0) return ok(CHECK, 'the password hashes are sealed with it');
  return warning(
    CHECK,
    `${waiting.length} of ${rows.length} password hashes checked are not sealed with it yet`,
    'seal them all with: gatehouse player seal',
  );
}

const CHECK = 'auth.seal_key';
