import { type Kysely, sql } from 'kysely';
import { bigint, optional } from '../ddl.ts';
import type { Database } from '../schema.ts';

/** The operator who made a key, so that it can be revoked with the operator. NULL if it was made on the command line. */
export const keyMakers = {
  name: '0081-key-makers',
  extensions: [{ table: 'operator_key', columns: { operator_id: optional(bigint()) } }],
  async fill(kysely: Kysely<Database>): Promise<void> {
    await kysely
      .updateTable('operator_key')
      .set(({ selectFrom }) => ({
        operator_id: selectFrom('operator')
          .select('id')
          .whereRef('name', '=', sql.ref('operator_key.created_by')),
      }))
      .where('operator_id', 'is', null)
      .execute();
  },
};
