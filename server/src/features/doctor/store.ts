import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import type { StoredPassword } from '../../security/password-hashes.ts';

const SOME_HASHES = 1000;

/** Read-only queries about the database itself. */
export function doctorStore(db: Db) {
  async function one<Row>(query: ReturnType<typeof sql<Row>>): Promise<Row> {
    const [row] = (await query.execute(db.kysely)).rows;
    if (row === undefined) throw new Error('the database did not answer');
    return row;
  }

  return {
    /** Returns how many withdrawals wait for an operator, and since when the oldest has waited. */
    async unknownWithdrawals(): Promise<{ count: number; since: number | null }> {
      const found = await db.kysely
        .selectFrom('withdraw')
        .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('updated_at').as('since')])
        .where('state', '=', 'unknown')
        .executeTakeFirstOrThrow();
      return { count: Number(found.count), since: found.since === null ? null : Number(found.since) };
    },

    /** Returns how many deliveries of each webhook are parked. */
    async parkedDeliveries(): Promise<{ webhookId: number; count: number }[]> {
      const rows = await db.kysely
        .selectFrom('webhook')
        .innerJoin('webhook_delivery as delivery', 'delivery.webhook_id', 'webhook.id')
        .select(['webhook.id', ({ fn }) => fn.countAll<number>().as('count')])
        .where('webhook.removed_at', 'is', null)
        .where('delivery.state', '=', 'parked')
        .groupBy('webhook.id')
        .orderBy('webhook.id')
        .execute();
      return rows.map(({ id, count }) => ({ webhookId: id, count: Number(count) }));
    },

    clock: () => db.readTime(),

    /** Returns the grants of the service's user, as the server lists them. */
    async grants(): Promise<string[]> {
      const { rows } = await sql<Record<string, string>>`show grants for current_user()`.execute(db.kysely);
      return rows.flatMap((row) => Object.values(row));
    },

    async sqliteVersion(): Promise<string> {
      return (await one(sql<{ version: string }>`select sqlite_version() as version`)).version;
    },

    /** Returns password hashes of the first and last players, as stored. */
    async someHashes(): Promise<StoredPassword[]> {
      const hashes = (order: 'asc' | 'desc') =>
        db.kysely
          .selectFrom('player')
          .select(['id', 'password_hash', 'password_argon2'])
          .orderBy('id', order)
          .limit(SOME_HASHES)
          .execute();
      const rows = [...(await hashes('asc')), ...(await hashes('desc'))];
      return [...new Map(rows.map((row) => [row.id, row])).values()];
    },

    /** Returns the relevant configuration of a MariaDB or MySQL server. */
    async serverFacts() {
      const variables = await one(sql<{ version: string; flush: number; pool: number; mode: string }>`
        select version() as version, @@global.innodb_flush_log_at_trx_commit as flush,
          @@global.innodb_buffer_pool_size as pool, @@global.sql_mode as mode`);
      const { bytes } = await one(sql<{ bytes: number | null }>`
        select sum(data_length + index_length) as bytes
        from information_schema.tables where table_schema = database()`);
      const { charset } = await one(sql<{ charset: string }>`
        select default_character_set_name as charset
        from information_schema.schemata where schema_name = database()`);
      return {
        version: variables.version,
        flushAtCommit: Number(variables.flush),
        bufferPoolBytes: Number(variables.pool),
        dataBytes: Number(bytes ?? 0),
        strict: /STRICT_(ALL|TRANS)_TABLES/.test(variables.mode),
        characterSet: charset,
      };
    },
  };
}

export type DoctorStore = ReturnType<typeof doctorStore>;
export type ServerFacts = Awaited<ReturnType<DoctorStore['serverFacts']>>;
