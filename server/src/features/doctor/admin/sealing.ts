import {
  createPasswordHashes,
  type PasswordHashes,
  type StoredPassword,
  storedIn,
} from '../../../security/password-hashes.ts';
import { isSealed } from '../../../security/sealer.ts';
import type { Settings } from '../../../settings/schema.ts';
import type { DoctorStore } from '../store.ts';
import { type Finding, failed, ok, warning } from './finding.ts';

/** Examines how the password hashes in the database are stored. */
export async function examineHashes(
  { auth }: Settings,
  { someHashes }: Pick<DoctorStore, 'someHashes'>,
): Promise<Finding[]> {
  const rows = await someHashes();
  const sealing = examineSealing(createPasswordHashes(auth.seal_key), rows);
  return auth.password_hash === 'argon2id' ? [sealing, examineArgon2(rows)] : [sealing];
}

function examineArgon2(rows: readonly StoredPassword[]): Finding {
  const check = 'auth.password_hash';
  const waiting = rows.filter(({ password_hash }) => password_hash !== '');
  if (waiting.length === 0) return ok(check, 'the passwords are stored as argon2id');
  return warning(
    check,
    `${waiting.length} of ${rows.length} password hashes checked are still md5`,
    'hash them all with: gatehouse player rehash',
  );
}

/** Examines whether the password hashes are sealed and can be opened. */
function examineSealing(hashes: PasswordHashes, rows: readonly StoredPassword[]): Finding {
  const lost = rows.filter((row) => isSealed(storedIn(row)) && hashes.openRow(row) === '');
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
  const waiting = rows.filter((row) => !hashes.isRowCurrent(row));
  if (waiting.length === 0) return ok(CHECK, 'the password hashes are sealed with it');
  return warning(
    CHECK,
    `${waiting.length} of ${rows.length} password hashes checked are not sealed with it yet`,
    'seal them all with: gatehouse player seal',
  );
}

const CHECK = 'auth.seal_key';
