import type { AnnouncementLanguage, AnnouncementLevel } from '@gatehouse/contract';
import type { Selectable } from 'kysely';
import type { Db } from '../../db/open.ts';
import type { AnnouncementRow } from '../../db/schema.ts';

export interface Announced {
  readonly id: number;
  readonly title: string;
  readonly body: string;
  readonly level: AnnouncementLevel;
  /** Null: for all languages. */
  readonly language: AnnouncementLanguage | null;
  readonly from: number | null;
  readonly until: number | null;
}

export function announcementStore(db: Db) {
  return {
    /** Returns announcements that have not ended, newest first, and the database clock that decides when they begin and end. */
    async notEnded(): Promise<{ now: number; rows: Announced[] }> {
      const rows = await db.kysely
        .selectFrom('announcement')
        .selectAll()
        .select(db.now.as('now'))
        .where((eb) => eb.or([eb('ends_at', 'is', null), eb('ends_at', '>', db.now)]))
        .orderBy('id', 'desc')
        .execute();
      return { now: rows[0]?.now ?? 0, rows: rows.map(announced) };
    },
  };
}

export type AnnouncementStore = ReturnType<typeof announcementStore>;

export function announced(row: Selectable<AnnouncementRow>): Announced {
  return {
    id: row.id,
    title: row.title,
    body: row.body,
    level: row.level as AnnouncementLevel,
    language: row.language as AnnouncementLanguage | null,
    from: row.starts_at,
    until: row.ends_at,
  };
}
