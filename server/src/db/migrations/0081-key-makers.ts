import { type QueryExecutorProvider, sql } from 'kysely';
import { bigint, optional } from '../ddl.ts';

/** The operator who made a key, so that it can be revoked with the operator. NULL if it was made on the command line. */
export const keyMakers = {
  name: '0081-key-makers',
  extensions: [{ table: 'operator_key', columns: { operator_id: optional(bigint()) } }],
  async fill(db: QueryExecutorProvider): Promise<void> {
    await sql`update operator_key set operator_id =
      (select id from ${sql.table('operator')} where name = operator_key.created_by)
      where operator_id is null`.execute(db);
  },
} as const;
