import type { Db } from '../../../db/open.ts';
import { auditStore } from '../../audit/store.ts';
import { siteStore } from '../store.ts';
import { removePicture, setPicture } from './pictures.ts';
import { setSite } from './set.ts';
import { type ShowParts, showSite } from './show.ts';
import { siteAdminStore } from './store.ts';
import { exportSite, importSite } from './transfer.ts';

interface SiteAdminContext extends Omit<ShowParts, 'store'> {
  readonly db: Db;
}

export function openSiteAdmin({ db, settings, sourceOf }: SiteAdminContext) {
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
