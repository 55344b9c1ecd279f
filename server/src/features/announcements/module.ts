import type { Feature, FeatureContext } from '../../feature.ts';
import { openAnnouncementAdmin } from './admin/module.ts';
import { announcementAdminRoutes } from './admin/routes.ts';
import { type NewsList, openAnnouncementCache } from './announcement-cache.ts';
import { createMarkdown } from './render-markdown.ts';
import { announcementRoutes } from './routes.ts';
import { announcementStore } from './store.ts';

type AnnouncementsContext = Pick<FeatureContext, 'settings' | 'db' | 'log'>;

export async function openAnnouncements({
  settings,
  db,
  log,
}: AnnouncementsContext): Promise<Feature & { readonly news: NewsList }> {
  const store = announcementStore(db);
  const cache = await openAnnouncementCache({ store, log });
  const renderMarkdown = createMarkdown({ images: () => settings.current.site.images, log });
  return {
    news: cache.news,
    routes(app) {
      announcementRoutes(app, { announcements: cache, store, renderMarkdown });
      announcementAdminRoutes(app, {
        announcements: openAnnouncementAdmin({ db }),
        refresh: cache.refresh,
        renderMarkdown,
      });
    },
    close: cache.close,
  };
}
