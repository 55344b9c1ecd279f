import type { Feature, FeatureContext } from '../../feature.ts';
import { openAgreement } from './agreement.ts';
import { openPages, type Pages } from './pages.ts';
import { publicConfig } from './public-config.ts';
import { siteRoutes } from './routes.ts';

export interface SiteFeature extends Feature {
  readonly pages: Pages;
}

interface SiteContext extends Pick<FeatureContext, 'settings' | 'log'> {
  /** Folder of the built front end. */
  readonly pagesFolder: string;
}

export function openSite({ settings, log, pagesFolder }: SiteContext): SiteFeature {
  const { client, public_url, site } = settings.current;
  const agreement = openAgreement(site.agreement, log);
  const pages = openPages({
    folder: pagesFolder,
    settings,
    clientOrigin: new URL(client.url, public_url).origin,
  });
  return {
    pages,
    async routes(app) {
      siteRoutes(app, { agreement, publicConfig: publicConfig(settings) });
      await pages.mount(app);
    },
    close: agreement.close,
  };
}
