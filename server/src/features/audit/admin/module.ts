import type { Db } from '../../../db/open.ts';
import { auditStore } from '../store.ts';

export function openAuditAdmin({ db }: { readonly db: Db }) {
  const { list } = auditStore(db);
  return { list };
}
