import { join } from 'node:path';
import { migrate } from '../server/src/db/migrate.ts';
import { openDatabase } from '../server/src/db/open.ts';
import { MissingProgram } from './executables.ts';
import { createDatabase, executeAt } from './mariadb.ts';
import { tempDir } from './process.ts';
import { SQLITE_TEMPLATE } from './sqlite.ts';

/** The migrated, empty MariaDB database, created once per run: copying it is far cheaper than migrating. */
export interface MariadbTemplate {
  readonly database: string;
  readonly tables: readonly string[];
}
const MARIADB_TEMPLATE = 'template';
const FILLED = ['migration', 'migration_lock'];

/** Creates both templates, SQLite's for `freshSqlite`. Returns undefined without a MariaDB. */
export async function makeTemplates(mariadbUrl: string | undefined): Promise<MariadbTemplate | undefined> {
  const sqliteFile = join(tempDir('sqlite-template'), 'gatehouse.db');
  await migrateAt(`sqlite:${sqliteFile}`);
  process.env[SQLITE_TEMPLATE] = sqliteFile;
  if (mariadbUrl === undefined) return undefined;
  await migrateAt(await createDatabase(mariadbUrl, MARIADB_TEMPLATE));
  const rows = (await executeAt(`${mariadbUrl}/${MARIADB_TEMPLATE}`, 'SHOW TABLES')) as object[];
  return { database: MARIADB_TEMPLATE, tables: rows.flatMap((row) => Object.values(row)) };
}

async function migrateAt(url: string): Promise<void> {
  const db = await openDatabase(url);
  await migrate(db);
  await db.close();
}

/** Returns the URL of a new MariaDB database, migrated and empty. */
export async function freshMariadb(
  template: MariadbTemplate | undefined,
  serverUrl: string,
): Promise<string> {
  if (template === undefined) throw new MissingProgram('mariadbd');
  const { database, tables } = template;
  const url = await createDatabase(serverUrl);
  const statements = [
    ...tables.map((table) => `CREATE TABLE \`${table}\` LIKE ${database}.\`${table}\``),
    ...FILLED.map((table) => `INSERT INTO ${table} SELECT * FROM ${database}.${table}`),
  ];
  await executeAt(url, statements.join(';'));
  return url;
}
