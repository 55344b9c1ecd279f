import type { Db } from '../../../db/open.ts';
import type { Actor } from '../../audit/entry.ts';
import { auditStore } from '../../audit/store.ts';
import { addPromoter, setPromoter } from './change.ts';
import { type FiguresOfPromoter, promoterList } from './list.ts';
import { promoterStore } from './store.ts';

export type { FiguresOfPromoter } from './list.ts';

interface PromoterAdminModuleParts {
  readonly db: Db;
  readonly figuresOf: FiguresOfPromoter;
}

export function openPromoterAdmin({ db, figuresOf }: PromoterAdminModuleParts) {
  const promoters = promoterStore(db);
  const audit = auditStore(db);
  const parts = { promoters, audit };
  return {
    list: promoters.all,
    ...promoterList({ promoters, figuresOf }),
    playersOf: promoters.playersOf,
    add: addPromoter(parts),
    set: setPromoter(parts),
    recordExport: (actor: Actor, filter: object) => audit.recordExport(actor, 'promoters', filter),
  };
}

export type PromoterAdmin = ReturnType<typeof openPromoterAdmin>;
