import type { Db } from '../../../db/open.ts';
import { auditStore } from '../store.ts';

export function openAuditAdmin({ db }: { readonly db: Db }) {
  const { list, recordExport } = auditStore(db);
  return { list, recordExport };
}

export type AuditAdmin = ReturnType<typeof openAuditAdmin>;
