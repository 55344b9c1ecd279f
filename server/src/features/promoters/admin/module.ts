import type { Db } from '../../../db/open.ts';
import { auditStore } from '../../audit/store.ts';
import { addPromoter } from './add.ts';
import { setPromoter } from './set.ts';
import { promoterStore } from './store.ts';

export function openPromoterAdmin({ db }: { readonly db: Db }) {
  const promoters = promoterStore(db);
  const parts = { promoters, audit: auditStore(db) };
  return { list: promoters.all, add: addPromoter(parts), set: setPromoter(parts) };
}
