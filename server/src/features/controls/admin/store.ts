import type { ControlName } from '@gatehouse/contract/admin';
import type { Selectable } from 'kysely';
import type { Db } from '../../../db/open.ts';
import { insertedId } from '../../../db/row-count.ts';
import type { Database } from '../../../db/schema.ts';
import type { Trx } from '../../../db/transaction.ts';
import { changeOrRepeat, insertOrRepeat, unchanged } from '../../../db/unchanged.ts';

const MAX_ACTOR_LENGTH = 64;

/** A row of `control`, possibly ended; `value` is JSON text. */
export type ControlState = Pick<Selectable<Database['control']>, 'name' | 'value' | 'until'>;
export type DenyState = Pick<Selectable<Database['deny_entry']>, 'id' | 'entry' | 'until'>;

interface Change {
  readonly until: number | null;
  readonly by: string;
  readonly reason: string | null;
}

export function controlAdminStore(db: Db) {
  const origin = ({ until, by, reason }: Change) => ({
    until,
    actor: by.slice(0, MAX_ACTOR_LENGTH),
    at: db.now,
    reason,
  });

  return {
    now: db.readTime,

    stateOf(trx: Trx, name: ControlName): Promise<ControlState | undefined> {
      return trx
        .selectFrom('control')
        .select(['name', 'value', 'until'])
        .where('name', '=', name)
        .executeTakeFirst();
    },

    async set(
      trx: Trx,
      before: ControlState | undefined,
      { name, value, ...change }: Change & { readonly name: ControlName; readonly value: string },
    ): Promise<void> {
      if (before === undefined)
        return insertOrRepeat(trx.insertInto('control').values({ name, value, ...origin(change) }));
      await trx
        .updateTable('control')
        .set({ value, ...origin(change) })
        .where(unchanged({ ...before }))
        .$call(changeOrRepeat);
    },

    async clear(trx: Trx, before: ControlState): Promise<void> {
      await changeOrRepeat(trx.deleteFrom('control').where(unchanged({ ...before })));
    },

    addDenyEntry: (trx: Trx, { entry, ...change }: Change & { readonly entry: string }): Promise<number> =>
      trx
        .insertInto('deny_entry')
        .values({ entry, ...origin(change) })
        .$call(insertedId),

    denyEntryOf(trx: Trx, id: number): Promise<DenyState | undefined> {
      return trx
        .selectFrom('deny_entry')
        .select(['id', 'entry', 'until'])
        .where('id', '=', id)
        .executeTakeFirst();
    },

    async removeDenyEntry(trx: Trx, before: DenyState): Promise<void> {
      await changeOrRepeat(trx.deleteFrom('deny_entry').where(unchanged({ ...before })));
    },

    /** Deletes ended entries; the audit keeps their record. */
    async deleteEndedDenyEntries(trx: Trx): Promise<void> {
      await trx.deleteFrom('deny_entry').where('until', '<=', db.now).execute();
    },
  };
}

export type ControlAdminStore = ReturnType<typeof controlAdminStore>;
