import { newestFirst, type PageBefore } from '../../../db/newest-first.ts';
import type { Db } from '../../../db/open.ts';
import { insertedId } from '../../../db/row-count.ts';
import type { Trx } from '../../../db/transaction.ts';
import { changeOrRepeat, unchanged } from '../../../db/unchanged.ts';
import { type Announced, announced, type StoredAnnouncement, storedAnnouncement } from '../store.ts';

export type AnnouncementFields = Omit<Announced, 'id'>;

export function announcementAdminStore({ kysely }: Db) {
  return {
    /** Newest first, including ended ones. */
    async list(page: PageBefore): Promise<StoredAnnouncement[]> {
      const rows = await kysely
        .selectFrom('announcement')
        .selectAll()
        .$call(newestFirst('announcement', page))
        .execute();
      return rows.map(storedAnnouncement);
    },

    async stateOf(trx: Trx, id: number): Promise<Announced | undefined> {
      const row = await trx.selectFrom('announcement').selectAll().where('id', '=', id).executeTakeFirst();
      return row && announced(row);
    },

    add: (trx: Trx, fields: AnnouncementFields): Promise<number> =>
      trx.insertInto('announcement').values(columnsOf(fields)).$call(insertedId),

    async change(trx: Trx, before: Announced, after: AnnouncementFields): Promise<void> {
      await trx
        .updateTable('announcement')
        .set(columnsOf(after))
        .where(unchanged({ id: before.id, ...columnsOf(before) }))
        .$call(changeOrRepeat);
    },

    async remove(trx: Trx, before: Announced): Promise<void> {
      await changeOrRepeat(
        trx.deleteFrom('announcement').where(unchanged({ id: before.id, ...columnsOf(before) })),
      );
    },
  };
}

export type AnnouncementAdminStore = ReturnType<typeof announcementAdminStore>;

function columnsOf({ from, until, pinned, ...rest }: AnnouncementFields) {
  const { title, body, level, language, kind, summary } = rest;
  const timed = { starts_at: from, ends_at: until };
  return { title, body, level, language, kind, summary, pinned: Number(pinned), ...timed };
}
