import { type Announcement, type AnnouncementLanguage, announcementLanguages } from '@gatehouse/contract';
import { type CachedBody, cachedBody } from '../../http/cached-body.ts';
import type { Log } from '../../logging/log.ts';
import { openTimedRows, type TimedRows } from '../../runtime/timed-rows.ts';
import type { Announced, AnnouncementStore } from './store.ts';

const REFRESH_MS = 2000;

export interface AnnouncementCache extends TimedRows {
  list(language: AnnouncementLanguage): CachedBody;
}

interface CacheParts {
  readonly store: AnnouncementStore;
  readonly log: Pick<Log, 'warn'>;
}

export async function openAnnouncementCache({ store, log }: CacheParts): Promise<AnnouncementCache> {
  const empty = render([]);
  const bodies = new Map<AnnouncementLanguage, CachedBody>();
  const rows = await openTimedRows({
    name: 'announcements',
    intervalMs: REFRESH_MS,
    log,
    read: store.notEnded,
    apply(inForce) {
      for (const reader of announcementLanguages)
        bodies.set(
          reader,
          render(inForce.filter(({ language }) => language === null || language === reader)),
        );
    },
  });
  return { ...rows, list: (language) => bodies.get(language) ?? empty };
}

function render(announcements: readonly Announced[]): CachedBody {
  return cachedBody(JSON.stringify({ announcements: announcements.map(shown) }));
}

export function shown({ from, until, ...announcement }: Announced): Announcement {
  return { ...announcement, from: time(from), until: time(until) };
}

const time = (at: number | null) => (at === null ? null : new Date(at).toISOString());
