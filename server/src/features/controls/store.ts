import type { ControlName } from '@gatehouse/contract/admin';
import type { ExpressionBuilder } from 'kysely';
import type { Db } from '../../db/open.ts';
import type { Database } from '../../db/schema.ts';

/** Who made an override, when, why and until when. */
interface Origin {
  readonly until: number | null;
  readonly by: string;
  readonly at: number;
  readonly reason: string | null;
}

export interface Control extends Origin {
  readonly name: ControlName;
  readonly value: unknown;
}

export interface DenyEntry extends Origin {
  readonly id: number;
  readonly entry: string;
}

export function controlStore(db: Db) {
  const { kysely } = db;

  const notEnded = (eb: ExpressionBuilder<Database, 'control' | 'deny_entry'>) =>
    eb.or([eb('until', 'is', null), eb('until', '>', db.now)]);

  return {
    /** Returns what has not ended, and the database clock that decides it, which is 0 if there is nothing. */
    async inForce(): Promise<{ now: number; controls: readonly Control[]; denied: readonly DenyEntry[] }> {
      const [controls, denied] = await Promise.all([
        kysely.selectFrom('control').selectAll().select(db.now.as('now')).where(notEnded).execute(),
        kysely
          .selectFrom('deny_entry')
          .selectAll()
          .select(db.now.as('now'))
          .where(notEnded)
          .orderBy('id')
          .execute(),
      ]);
      return {
        now: (controls[0] ?? denied[0])?.now ?? 0,
        controls: controls.map(({ name, value, ...row }) => ({
          name: name as ControlName,
          value: JSON.parse(value),
          ...originOf(row),
        })),
        denied: denied.map(({ id, entry, ...row }) => ({ id, entry, ...originOf(row) })),
      };
    },
  };
}

export type ControlStore = ReturnType<typeof controlStore>;

function originOf(row: Omit<Origin, 'by'> & { readonly actor: string }): Origin {
  return { until: row.until, by: row.actor, at: row.at, reason: row.reason };
}
