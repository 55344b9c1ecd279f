import type { Feature, FeatureContext } from '../../feature.ts';
import { type FiguresOfPromoter, openPromoterAdmin } from './admin/module.ts';
import { promoterAdminRoutes } from './admin/routes.ts';

interface PromotersContext extends Pick<FeatureContext, 'db'> {
  readonly figuresOfPromoter: FiguresOfPromoter;
}

export function openPromoters({ db, figuresOfPromoter }: PromotersContext): Feature {
  const admin = openPromoterAdmin({ db, figuresOf: figuresOfPromoter });
  return { routes: (app) => promoterAdminRoutes(app, admin) };
}
