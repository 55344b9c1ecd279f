import {
  type Announcement,
  type AnnouncementLanguage,
  announcementLanguages,
  type ListedNews,
} from '@gatehouse/contract';
import { type CachedBody, cachedBody } from '../../http/cached-body.ts';
import type { Log } from '../../logging/log.ts';
import { timeText, timeTextOrNull } from '../../runtime/time.ts';
import { openTimedRows, type TimedRows } from '../../runtime/timed-rows.ts';
import type { AnnouncementStore, StoredAnnouncement } from './store.ts';

const REFRESH_MS = 2000;

export interface NewsList {
  /** Returns the news for readers of a language, or all, pinned first, then newest first. */
  of(language: AnnouncementLanguage | undefined): readonly ListedNews[];
  /** Returns an announcement in any language, or undefined if it is not in force. */
  find(id: number): ListedNews | undefined;
  onChange(listener: () => void): void;
}

export interface AnnouncementCache extends TimedRows {
  /** Returns the notices for readers of a language, or all. */
  list(language: AnnouncementLanguage | undefined): CachedBody;
  readonly news: NewsList;
}

interface CacheDeps {
  readonly store: AnnouncementStore;
  readonly log: Pick<Log, 'warn'>;
}

export async function openAnnouncementCache({ store, log }: CacheDeps): Promise<AnnouncementCache> {
  const empty = render([]);
  const bodies = new Map<AnnouncementLanguage | undefined, CachedBody>();
  const newsOf = new Map<AnnouncementLanguage | undefined, readonly ListedNews[]>();
  let newsById = new Map<number, ListedNews>();
  const listeners: (() => void)[] = [];
  const rows = await openTimedRows({
    name: 'announcements',
    intervalMs: REFRESH_MS,
    log,
    read: store.notEnded,
    apply(inForce) {
      const notices = inForce.filter(({ kind }) => kind !== 'news');
      const news = inForce.filter(({ kind }) => kind === 'news').toSorted(byPosition);
      for (const reader of [undefined, ...announcementLanguages]) {
        const isFor = ({ language }: StoredAnnouncement) =>
          reader === undefined || language === null || language === reader;
        bodies.set(reader, render(notices.filter(isFor)));
        newsOf.set(reader, news.filter(isFor).map(newsEntry));
      }
      newsById = new Map(news.map((each) => [each.id, newsEntry(each)]));
      for (const listener of listeners) listener();
    },
  });
  return {
    ...rows,
    list: (language) => bodies.get(language) ?? empty,
    news: {
      of: (language) => newsOf.get(language) ?? [],
      find: (id) => newsById.get(id),
      onChange: (listener) => listeners.push(listener),
    },
  };
}

function render(announcements: readonly StoredAnnouncement[]): CachedBody {
  return cachedBody(JSON.stringify({ announcements: announcements.map(shown) }));
}

function shown({ id, title, body, level, language, from, until }: StoredAnnouncement): Announcement {
  return { id, title, body, level, language, from: timeTextOrNull(from), until: timeTextOrNull(until) };
}

const publishedAt = ({ from, createdAt }: StoredAnnouncement) => from ?? createdAt;

function byPosition(one: StoredAnnouncement, other: StoredAnnouncement): number {
  return (
    Number(other.pinned) - Number(one.pinned) || publishedAt(other) - publishedAt(one) || other.id - one.id
  );
}

const newsEntry = (news: StoredAnnouncement): ListedNews => ({
  id: news.id,
  title: news.title,
  summary: news.summary,
  pinned: news.pinned,
  published_at: timeText(publishedAt(news)),
});
