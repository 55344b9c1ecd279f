import type { Selectable } from 'kysely';
import type { Db } from '../../db/open.ts';
import type { Database } from '../../db/schema.ts';
import { importable } from './store.ts';

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

export function exportStore({ kysely }: Db) {
  return {
    /** Returns the next players by id, without erased ones. */
    playersAfter(id: number, limit: number): Promise<ExportedPlayer[]> {
      return kysely
        .selectFrom('player')
        .select([...importable, 'id', 'account_key', 'password_argon2', 'two_factor', 'banned_until'])
        .select(['imported_hash', 'imported_email'])
        .where('id', '>', id)
        .where('erased_at', 'is', null)
        .orderBy('id')
        .limit(limit)
        .execute();
    },
  };
}

export type ExportStore = ReturnType<typeof exportStore>;
