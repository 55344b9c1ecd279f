import type { AnnouncementKind, AnnouncementLanguage, AnnouncementLevel } from '@gatehouse/contract';
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import type { Database } from '../../db/schema.ts';

export type Announced = Readonly<ReturnType<typeof announced>>;

export interface StoredAnnouncement extends Announced {
  readonly createdAt: number;
}

export function announcementStore(db: Db) {
  return {
    /**
     * Returns announcements that have not ended, newest first, and the database clock that decides when they begin and end. News
     * come without their bodies: they are long, there may be many, and this is read every few seconds.
     */
    async notEnded(): Promise<{ now: number; rows: StoredAnnouncement[] }> {
      const rows = await db.kysely
        .selectFrom('announcement')
        .select(['id', 'title', 'level', 'language', 'starts_at', 'ends_at', 'created_at'])
        .select(['kind', 'pinned', 'summary'])
        .select(sql<string>`case when kind = 'news' then '' else body end`.as('body'))
        .select(db.now.as('now'))
        .where((eb) => eb.or([eb('ends_at', 'is', null), eb('ends_at', '>', db.now)]))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute();
      return { now: rows[0]?.now ?? 0, rows: rows.map(storedAnnouncement) };
    },

    async bodyOf(id: number): Promise<string | undefined> {
      const row = await db.kysely
        .selectFrom('announcement')
        .select('body')
        .where('id', '=', id)
        .executeTakeFirst();
      return row?.body;
    },
  };
}

export type AnnouncementStore = ReturnType<typeof announcementStore>;

export function announced(row: Selectable<Database['announcement']>) {
  return {
    id: row.id,
    title: row.title,
    body: row.body,
    level: row.level as AnnouncementLevel,
    /** Null: for all languages. */
    language: row.language as AnnouncementLanguage | null,
    from: row.starts_at,
    until: row.ends_at,
    kind: row.kind as AnnouncementKind,
    pinned: row.pinned === 1,
    summary: row.summary,
  };
}

export const storedAnnouncement = (row: Selectable<Database['announcement']>): StoredAnnouncement => ({
  ...announced(row),
  createdAt: row.created_at,
});
