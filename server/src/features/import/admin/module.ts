import type { Db } from '../../../db/open.ts';
import { erasedNameHash } from '../../../security/account-key.ts';
import { createPasswordHashes } from '../../../security/password-hashes.ts';
import type { Settings } from '../../../settings/schema.ts';
import { erasedNameStore } from '../../account/registration-store.ts';
import { auditStore } from '../../audit/store.ts';
import { exportStore } from '../export-store.ts';
import { importStore } from '../store.ts';
import { runExport } from './run-export.ts';
import { runImport } from './run-import.ts';

export function openImportAdmin({ db, settings }: { readonly db: Db; readonly settings: Settings }) {
  const hashes = createPasswordHashes(settings.auth.seal_key);
  return {
    run: runImport({
      openStore: (columns) => importStore(db, columns, hashes),
      audit: auditStore(db),
      erasedNames: erasedNameStore(db, erasedNameHash(settings.auth)),
    }),
    export: runExport({
      openStore: (columns) => ({ ...importStore(db, columns, hashes), ...exportStore(db) }),
      audit: auditStore(db),
    }),
  };
}
