import { type Kysely, sql } from 'kysely';
import { addColumn, addIndex, createTable, dropIndex, type Flavour, indexName } from './ddl.ts';
import { isSqliteBusy } from './errors.ts';
import { MIGRATION_TIMEOUT_MS, withMigrationLock } from './migration-lock.ts';
import { migrations as allMigrations } from './migrations/index.ts';
import { type Extension, lockTable, type Migration, migrationTable } from './migrations/migration.ts';
import type { Db } from './open.ts';
import type { Database } from './schema.ts';

/** Brings the database up to date. Any number of instances may run it at the same time. */
export async function migrate(db: Db, migrations = allMigrations): Promise<{ applied: string[] }> {
  if ((await pendingMigrations(db, migrations)).length === 0) return { applied: [] };
  const flavour = await flavourOf(db);
  const applied =
    flavour === 'sqlite' ? await migrateSqlite(db, migrations) : await migrateMysql(db, migrations, flavour);
  return { applied };
}

export async function pendingMigrations(db: Db, migrations = allMigrations): Promise<string[]> {
  const known = (await hasMigrationTable(db)) ? await appliedNames(db.kysely) : new Set();
  return migrations.map(({ name }) => name).filter((name) => !known.has(name));
}

/** Applies each migration and records it in one transaction. */
async function migrateSqlite(db: Db, migrations: readonly Migration[]): Promise<string[]> {
  const applied: string[] = [];
  for (const migration of migrations) {
    const applyOnce = () =>
      db.transaction(async (trx) => {
        await execute(trx, createTable(migrationTable, 'sqlite'));
        if ((await appliedNames(trx)).has(migration.name)) return;
        await apply(trx, migration, 'sqlite');
        return migration.name;
      });
    const name = await named(migration, repeatWhileBusy(applyOnce));
    if (name !== undefined) applied.push(name);
  }
  return applied;
}

/** Waits for another process that migrates: it locks the file for a whole migration, longer than a transaction waits. */
async function repeatWhileBusy<T>(attempt: () => Promise<T>): Promise<T> {
  for (const deadline = performance.now() + MIGRATION_TIMEOUT_MS; ; ) {
    try {
      return await attempt();
    } catch (error) {
      if (!isSqliteBusy(error) || performance.now() > deadline) throw error;
    }
  }
}

/** MySQL commits every definition separately, so only one instance migrates at a time and each step is idempotent. */
async function migrateMysql(db: Db, migrations: readonly Migration[], flavour: Flavour): Promise<string[]> {
  const own = [migrationTable, lockTable].flatMap((table) => createTable(table, flavour));
  await execute(db.kysely, own);
  return withMigrationLock(db, async () => {
    const known = await appliedNames(db.kysely);
    const missing = migrations.filter(({ name }) => !known.has(name));
    for (const migration of missing) await named(migration, apply(db.kysely, migration, flavour));
    return missing.map(({ name }) => name);
  });
}

async function apply(kysely: Kysely<Database>, migration: Migration, flavour: Flavour): Promise<void> {
  const { name, tables = [], extensions = [], statements, fill } = migration;
  await execute(
    kysely,
    tables.flatMap((table) => createTable(table, flavour)),
  );
  await execute(kysely, await missingExtensions(kysely, extensions, flavour));
  await execute(kysely, statements?.(flavour) ?? []);
  await fill?.(kysely, flavour);
  await kysely.insertInto('migration').values({ name }).execute();
}

async function named<T>({ name }: Migration, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`migration ${name} failed: ${reason}`, { cause: error });
  }
}

async function execute(kysely: Kysely<Database>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(kysely);
}

async function appliedNames(kysely: Kysely<Database>): Promise<Set<string>> {
  const rows = await kysely.selectFrom('migration').select('name').execute();
  return new Set(rows.map(({ name }) => name));
}

async function hasMigrationTable({ engine, kysely }: Db): Promise<boolean> {
  const catalogue =
    engine === 'sqlite'
      ? sql`select 1 from sqlite_schema where type = 'table' and name = 'migration'`
      : sql`select 1 from information_schema.tables where table_schema = database() and table_name = 'migration'`;
  return (await catalogue.execute(kysely)).rows.length > 0;
}

async function flavourOf({ engine, kysely }: Db): Promise<Flavour> {
  if (engine === 'sqlite') return 'sqlite';
  const { rows } = await sql<{ version: string }>`select version() as version`.execute(kysely);
  return rows[0]?.version.includes('MariaDB') ? 'mariadb' : 'mysql';
}

/**
 * Returns the statements that are still missing. MySQL commits each definition separately and has no IF NOT EXISTS for these, so
 * an interrupted migration continues where it stopped. On SQLite it is one transaction.
 */
export async function missingExtensions(
  kysely: Kysely<Database>,
  extensions: readonly Extension[],
  flavour: Flavour,
): Promise<string[]> {
  const statements: string[] = [];
  for (const { table, columns = {}, index = [], droppedIndex = [] } of extensions) {
    const present = flavour === 'sqlite' ? new Set<string>() : await namesIn(kysely, table);
    for (const [name, column] of Object.entries(columns))
      if (!present.has(name)) statements.push(addColumn(table, name, column, flavour));
    for (const keys of index)
      if (!present.has(indexName(table, keys))) statements.push(addIndex(table, keys, flavour));
    for (const keys of droppedIndex)
      if (flavour === 'sqlite' || present.has(indexName(table, keys)))
        statements.push(dropIndex(table, keys, flavour));
  }
  return statements;
}

/** Returns the names of columns and indexes. Index names begin with the table, so they never clash with a column. */
async function namesIn(kysely: Kysely<Database>, table: string): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns where table_schema = database() and table_name = ${table}
    union
    select index_name from information_schema.statistics where table_schema = database() and table_name = ${table}`.execute(
    kysely,
  );
  return new Set(rows.map(({ name }) => name));
}
