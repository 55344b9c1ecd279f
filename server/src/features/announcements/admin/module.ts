import type { Db } from '../../../db/open.ts';
import { auditStore } from '../../audit/store.ts';
import { addAnnouncement, removeAnnouncement, setAnnouncement } from './change.ts';
import { announcementAdminStore } from './store.ts';

export function openAnnouncementAdmin({ db }: { readonly db: Db }) {
  const announcements = announcementAdminStore(db);
  const deps = { announcements, audit: auditStore(db) };
  return {
    list: announcements.list,
    add: addAnnouncement(deps),
    set: setAnnouncement(deps),
    remove: removeAnnouncement(deps),
  };
}

export type AnnouncementAdmin = ReturnType<typeof openAnnouncementAdmin>;
