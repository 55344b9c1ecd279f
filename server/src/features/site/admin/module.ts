import type { Db } from '../../../db/open.ts';
import { auditStore } from '../../audit/store.ts';
import { siteStore } from '../store.ts';
import { removePicture, setPicture } from './pictures.ts';
import { setSite } from './set.ts';
import { siteAdminStore } from './store.ts';
import { exportSite, importSite, type ShowParts, showSite } from './transfer.ts';

export function openSiteAdmin({ db, settings, sourceOf }: Omit<ShowParts, 'store'> & { readonly db: Db }) {
  const store = siteStore(db);
  const parts = { site: siteAdminStore(db), audit: auditStore(db), publicUrl: settings().public_url };
  const show = showSite({ store, settings, sourceOf });
  return {
    show,
    set: setSite(parts),
    setPicture: setPicture(parts),
    removePicture: removePicture(parts),
    export: exportSite({ show, store }),
    import: importSite(parts),
  };
}

export type SiteAdmin = ReturnType<typeof openSiteAdmin>;
