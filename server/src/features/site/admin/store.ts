import type { PictureType } from '@gatehouse/contract';
import type { Selectable } from 'kysely';
import type { Db } from '../../../db/open.ts';
import { countRows, hasRow } from '../../../db/row-count.ts';
import type { Database } from '../../../db/schema.ts';
import type { Trx } from '../../../db/transaction.ts';
import { changeOrRepeat, insertOrRepeat, serialize, unchanged } from '../../../db/unchanged.ts';
import type { SiteFile } from '../store.ts';

const MAX_ACTOR_LENGTH = 64;

/** A row of `site_setting`: `value` is JSON text, `file` the hash of a picture. */
export type SettingState = Pick<Selectable<Database['site_setting']>, 'name' | 'value' | 'file'>;

export interface NewPicture extends Omit<SiteFile, 'until'> {
  readonly content: Buffer;
}

export function siteAdminStore(db: Db) {
  return {
    stateOf(trx: Trx, name: string): Promise<SettingState | undefined> {
      return trx
        .selectFrom('site_setting')
        .select(['name', 'value', 'file'])
        .where('name', '=', name)
        .executeTakeFirst();
    },

    async set(trx: Trx, before: SettingState | undefined, after: SettingState, by: string): Promise<void> {
      const row = { ...after, actor: by.slice(0, MAX_ACTOR_LENGTH), at: db.now };
      if (before === undefined) return insertOrRepeat(trx.insertInto('site_setting').values(row));
      await trx
        .updateTable('site_setting')
        .set(row)
        .where(unchanged({ ...before }))
        .$call(changeOrRepeat);
    },

    async clear(trx: Trx, before: SettingState): Promise<void> {
      await changeOrRepeat(trx.deleteFrom('site_setting').where(unchanged({ ...before })));
    },

    async fileOf(trx: Trx, hash: string): Promise<Omit<NewPicture, 'content'> | undefined> {
      const row = await trx
        .selectFrom('site_file')
        .select(['hash', 'type', 'width', 'height', 'bytes'])
        .where('hash', '=', hash)
        .executeTakeFirst();
      return row && { ...row, type: row.type as PictureType };
    },

    /** Stores a picture, or marks it as used if it is already stored. Returns false if another one has the same hash. */
    async keepFile(trx: Trx, picture: NewPicture): Promise<boolean> {
      const known = await trx
        .selectFrom('site_file')
        .select(['type', 'content'])
        .where('hash', '=', picture.hash)
        .executeTakeFirst();
      if (known === undefined) {
        await insertOrRepeat(trx.insertInto('site_file').values(picture));
        return true;
      }
      await trx
        .updateTable('site_file')
        .set({ unused_since: null })
        .where('hash', '=', picture.hash)
        .execute();
      return known.type === picture.type && picture.content.equals(known.content);
    },

    /** Marks a picture as unused if no setting names it any longer. */
    async releaseFile(trx: Trx, hash: string): Promise<void> {
      if (await trx.selectFrom('site_setting').select('name').where('file', '=', hash).$call(hasRow)) return;
      await trx.updateTable('site_file').set({ unused_since: db.now }).where('hash', '=', hash).execute();
    },

    /** Returns the count, which no other transaction raises before this one ends. */
    async newsPictures(trx: Trx): Promise<number> {
      await serialize(trx, 'news_picture');
      return trx.selectFrom('site_setting').where('name', 'like', 'news-%').$call(countRows);
    },
  };
}

export type SiteAdminStore = ReturnType<typeof siteAdminStore>;
