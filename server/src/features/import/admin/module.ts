import type { Db } from '../../../db/open.ts';
import { createPasswordHashes } from '../../../security/password-hashes.ts';
import { auditStore } from '../../audit/store.ts';
import { importStore } from '../store.ts';
import { runImport } from './run-import.ts';

interface ImportContext {
  readonly db: Db;
  /** `auth.seal_key`. */
  readonly sealKey?: readonly string[] | undefined;
}

export function openImportAdmin({ db, sealKey }: ImportContext) {
  const hashes = createPasswordHashes(sealKey);
  return {
    run: runImport({ openStore: (columns) => importStore(db, columns, hashes), audit: auditStore(db) }),
  };
}
