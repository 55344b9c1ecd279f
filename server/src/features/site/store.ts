import type { PictureType } from '@gatehouse/contract';
import { sweepExpired } from '../../db/delete-in-batches.ts';
import type { Db } from '../../db/open.ts';

/** How long a replaced picture is still served: mails and open pages name it, and an operator may go back to it. */
const KEEP_UNUSED_MS = 30 * 24 * 3_600_000;

/** What operators have set: a value, or the hash of a picture. */
export interface SiteSetting {
  readonly name: string;
  readonly value: unknown;
  readonly file: string | null;
  readonly until: null;
}

/** A stored picture without its bytes. */
export interface SiteFile {
  readonly hash: string;
  readonly type: PictureType;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  readonly until: null;
}

export function siteStore(db: Db) {
  const { kysely } = db;
  return {
    /** Returns all settings and pictures. They hold until they are changed, so the clock does not matter. */
    async all(): Promise<{ now: number; rows: (SiteSetting | SiteFile)[] }> {
      const [settings, files] = await Promise.all([
        kysely.selectFrom('site_setting').select(['name', 'value', 'file']).orderBy('name').execute(),
        kysely
          .selectFrom('site_file')
          .select(['hash', 'type', 'width', 'height', 'bytes'])
          .orderBy('hash')
          .execute(),
      ]);
      return {
        now: 0,
        rows: [
          ...settings.map(({ name, value, file }) => ({
            name,
            value: value === null ? null : JSON.parse(value),
            file,
            until: null,
          })),
          ...files.map((file) => ({ ...file, type: file.type as PictureType, until: null })),
        ],
      };
    },

    async contentOf(hash: string): Promise<Buffer | undefined> {
      const row = await kysely
        .selectFrom('site_file')
        .select('content')
        .where('hash', '=', hash)
        .executeTakeFirst();
      return row && Buffer.from(row.content);
    },

    /** Deletes pictures that no setting has named for a month. */
    deleteUnused: sweepExpired(db, 'site_file', ['hash'], 'unused_since', KEEP_UNUSED_MS),
  };
}

export type SiteStore = ReturnType<typeof siteStore>;
