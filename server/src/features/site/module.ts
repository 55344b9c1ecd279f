import type { FastifyInstance } from 'fastify';
import type { FeatureContext } from '../../feature.ts';
import { openSiteAdmin } from './admin/module.ts';
import { siteAdminRoutes } from './admin/routes.ts';
import { openAgreement } from './agreement.ts';
import { brandRoutes } from './brand-routes.ts';
import { feedRoutes } from './feed-routes.ts';
import type { PageNews } from './page-document.ts';
import { openPages } from './pages.ts';
import { siteRoutes } from './routes.ts';
import { mailBrandOf, openSiteValues, publicConfig } from './site-values.ts';
import { siteStore } from './store.ts';

interface SiteContext extends Pick<FeatureContext, 'settings' | 'db' | 'log'> {
  /** Folder of the built front end. */
  readonly pagesFolder: string;
  readonly news: PageNews;
}

export async function openSite({ settings, db, log, pagesFolder, news }: SiteContext) {
  const { client, public_url } = settings.current;
  const agreement = openAgreement(settings.current.site.agreement, log);
  const store = siteStore(db);
  const values = await openSiteValues({ store, settings, log });
  const pages = openPages({
    folder: pagesFolder,
    settings,
    values,
    news,
    clientOrigin: new URL(client.url, public_url).origin,
  });
  return {
    pages,
    current: () => values.current,
    mailBrand: () => mailBrandOf(values.current, public_url),
    async routes(app: FastifyInstance) {
      siteRoutes(app, { agreement, publicConfig: publicConfig(settings, values) });
      siteAdminRoutes(app, {
        site: openSiteAdmin({ db, settings: () => settings.current, sourceOf: settings.sourceOf }),
        refresh: values.refresh,
      });
      brandRoutes(app, { values, store });
      feedRoutes(app, { values, news, publicUrl: public_url });
      await pages.mount(app);
    },
    sweeps: [{ name: 'unused pictures', deleteOldest: store.deleteUnused }],
    async close() {
      agreement.close();
      await values.close();
    },
  };
}

export type SiteFeature = Awaited<ReturnType<typeof openSite>>;
