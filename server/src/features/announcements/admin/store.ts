import type { Db } from '../../../db/open.ts';
import type { Trx } from '../../../db/transaction.ts';
import { repeatUnless, unchanged } from '../../../db/unchanged.ts';
import { type Announced, announced } from '../store.ts';

export type AnnouncementFields = Omit<Announced, 'id'>;

export interface AnnouncementRecord extends Announced {
  readonly createdAt: number;
}

export interface AnnouncementPage {
  readonly records: readonly AnnouncementRecord[];
  /** The id of the last record, where more follow. */
  readonly next: number | undefined;
}

export function announcementAdminStore({ kysely }: Db) {
  return {
    /** Newest first, ended ones too; the page after the one that ended with the id `before`. */
    async list({ limit, before }: { limit: number; before?: number | undefined }): Promise<AnnouncementPage> {
      let query = kysely
        .selectFrom('announcement')
        .selectAll()
        .orderBy('id', 'desc')
        .limit(limit + 1);
      if (before !== undefined) query = query.where('id', '<', before);
      const rows = await query.execute();
      const records = rows.slice(0, limit).map((row) => ({ ...announced(row), createdAt: row.created_at }));
      return { records, next: rows.length > limit ? records.at(-1)?.id : undefined };
    },

    async stateOf(trx: Trx, id: number): Promise<Announced | undefined> {
      const row = await trx.selectFrom('announcement').selectAll().where('id', '=', id).executeTakeFirst();
      return row && announced(row);
    },

    async add(trx: Trx, fields: AnnouncementFields): Promise<number> {
      const { insertId } = await trx
        .insertInto('announcement')
        .values(columnsOf(fields))
        .executeTakeFirstOrThrow();
      return Number(insertId);
    },

    async change(trx: Trx, before: Announced, after: AnnouncementFields): Promise<void> {
      const { numUpdatedRows } = await trx
        .updateTable('announcement')
        .set(columnsOf(after))
        .where(unchanged({ id: before.id, ...columnsOf(before) }))
        .executeTakeFirst();
      repeatUnless(numUpdatedRows);
    },

    async remove(trx: Trx, before: Announced): Promise<void> {
      const { numDeletedRows } = await trx
        .deleteFrom('announcement')
        .where(unchanged({ id: before.id, ...columnsOf(before) }))
        .executeTakeFirst();
      repeatUnless(numDeletedRows);
    },
  };
}

export type AnnouncementAdminStore = ReturnType<typeof announcementAdminStore>;

function columnsOf({ title, body, level, language, from, until }: AnnouncementFields) {
  return { title, body, level, language, starts_at: from, ends_at: until };
}
