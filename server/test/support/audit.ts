import type { Db } from '../../src/db/open.ts';

/** Returns the audit rows, oldest first. */
export function auditRows({ kysely }: Pick<Db, 'kysely'>) {
  return kysely.selectFrom('audit').selectAll().orderBy('at').execute();
}
