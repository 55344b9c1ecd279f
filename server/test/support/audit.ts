import type { Db } from '../../src/db/open.ts';

/** What was recorded, oldest first. */
export function auditRows({ kysely }: Pick<Db, 'kysely'>) {
  return kysely.selectFrom('audit').selectAll().orderBy('at').execute();
}
