import type { Feature, FeatureContext } from '../../feature.ts';
import { openAnnouncementAdmin } from './admin/module.ts';
import { announcementAdminRoutes } from './admin/routes.ts';
import { openAnnouncementCache } from './announcement-cache.ts';
import { announcementRoutes } from './routes.ts';
import { announcementStore } from './store.ts';

export async function openAnnouncements({ db, log }: Pick<FeatureContext, 'db' | 'log'>): Promise<Feature> {
  const cache = await openAnnouncementCache({ store: announcementStore(db), log });
  return {
    routes(app) {
      announcementRoutes(app, cache);
      announcementAdminRoutes(app, {
        announcements: openAnnouncementAdmin({ db }),
        refresh: cache.refresh,
      });
    },
    close: cache.close,
  };
}
