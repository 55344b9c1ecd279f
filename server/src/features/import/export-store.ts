import type { Selectable } from 'kysely';
import type { Db } from '../../db/open.ts';
import type { Database } from '../../db/schema.ts';
import { importable, statusAt } from './store.ts';

export type ExportedPlayer = Pick<
  Selectable<Database['player']>,
  | (typeof importable)[number]
  | 'id'
  | 'account_key'
  | 'password_argon2'
  | 'two_factor'
  | 'banned_until'
  | 'imported_hash'
  | 'imported_email'
>;

export function exportStore({ kysely, now }: Db) {
  return {
    /** Returns the next players by id, without erased ones. */
    async playersAfter(id: number, limit: number): Promise<ExportedPlayer[]> {
      const rows = await kysely
        .selectFrom('player')
        .select([...importable, 'id', 'account_key', 'password_argon2', 'two_factor', 'banned_until'])
        .select(['imported_hash', 'imported_email', now.as('now')])
        .where('id', '>', id)
        .where('erased_at', 'is', null)
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(({ now: at, ...row }) => ({ ...row, status: statusAt(at, row) }));
    },
  };
}

export type ExportStore = ReturnType<typeof exportStore>;
