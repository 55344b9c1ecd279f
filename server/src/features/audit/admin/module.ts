import type { Db } from '../../../db/open.ts';
import { auditStore } from '../store.ts';
import { recordExport } from './record-export.ts';

export function openAuditAdmin({ db }: { readonly db: Db }) {
  const audit = auditStore(db);
  return { list: audit.list, recordExport: recordExport(audit) };
}

export type AuditAdmin = ReturnType<typeof openAuditAdmin>;
