import type { Db } from '../../../db/open.ts';
import { auditStore } from '../../audit/store.ts';
import { importStore } from '../store.ts';
import { runImport } from './run-import.ts';

export function openImportAdmin({ db }: { readonly db: Db }) {
  return {
    run: runImport({ openStore: (columns) => importStore(db, columns), audit: auditStore(db) }),
  };
}
