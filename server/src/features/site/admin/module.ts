import type { Db } from '../../../db/open.ts';
import { auditStore } from '../../audit/store.ts';
import { siteStore } from '../store.ts';
import { removePicture, setPicture } from './pictures.ts';
import { setSite } from './set.ts';
import { siteAdminStore } from './store.ts';
import { exportSite, importSite, type ShowDeps, showSite } from './transfer.ts';

export function openSiteAdmin({ db, settings, sourceOf }: Omit<ShowDeps, 'store'> & { readonly db: Db }) {
  const store = siteStore(db);
  const deps = { site: siteAdminStore(db), audit: auditStore(db), publicUrl: settings().public_url };
  const show = showSite({ store, settings, sourceOf });
  return {
    show,
    set: setSite(deps),
    setPicture: setPicture(deps),
    removePicture: removePicture(deps),
    export: exportSite({ show, store }),
    import: importSite(deps),
  };
}

export type SiteAdmin = ReturnType<typeof openSiteAdmin>;
