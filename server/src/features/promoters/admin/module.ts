import type { Db } from '../../../db/open.ts';
import type { Actor } from '../../audit/entry.ts';
import { auditStore } from '../../audit/store.ts';
import { addPromoter, type FiguresOfPromoter, promoterList, setPromoter } from './change.ts';
import { promoterStore } from './store.ts';

export type { FiguresOfPromoter } from './change.ts';

export function openPromoterAdmin({ db, figuresOf }: { db: Db; figuresOf: FiguresOfPromoter }) {
  const promoters = promoterStore(db);
  const audit = auditStore(db);
  const deps = { promoters, audit };
  return {
    list: promoters.all,
    ...promoterList({ promoters, figuresOf }),
    playersOf: promoters.playersOf,
    add: addPromoter(deps),
    set: setPromoter(deps),
    recordExport: (actor: Actor, filter: object) => audit.recordExport(actor, 'promoters', filter),
  };
}

export type PromoterAdmin = ReturnType<typeof openPromoterAdmin>;
