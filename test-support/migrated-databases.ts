import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrate } from '../server/src/db/migrate.ts';
import { openDatabase } from '../server/src/db/open.ts';
import { MissingProgram } from './executables.ts';
import { createDatabase, executeAt } from './mariadb.ts';
import { tempDir } from './process.ts';

/** Migrated, empty databases, created once per run: copying one is far cheaper than migrating. */
export interface Templates {
  readonly sqliteFile: string;
  /** Undefined without a MariaDB. */
  readonly mariadb: { readonly database: string; readonly tables: readonly string[] } | undefined;
}

const MARIADB_TEMPLATE = 'template';
const FILLED = ['migration', 'migration_lock'];

export async function makeTemplates(mariadbUrl: string | undefined): Promise<Templates> {
  const sqliteFile = join(tempDir('sqlite-template'), 'gatehouse.db');
  await migrateAt(`sqlite:${sqliteFile}`);
  if (mariadbUrl === undefined) return { sqliteFile, mariadb: undefined };
  await migrateAt(await createDatabase(mariadbUrl, MARIADB_TEMPLATE));
  const rows = (await executeAt(`${mariadbUrl}/${MARIADB_TEMPLATE}`, 'SHOW TABLES')) as object[];
  const tables = rows.flatMap((row) => Object.values(row));
  return { sqliteFile, mariadb: { database: MARIADB_TEMPLATE, tables } };
}

async function migrateAt(url: string): Promise<void> {
  const db = await openDatabase(url);
  await migrate(db);
  await db.close();
}

export async function copyOnSqlite({ sqliteFile }: Templates): Promise<string> {
  const file = join(tempDir('sqlite'), 'gatehouse.db');
  await copyFile(sqliteFile, file);
  return `sqlite:${file}`;
}

export async function copyOnMariadb({ mariadb }: Templates, serverUrl: string): Promise<string> {
  if (mariadb === undefined) throw new MissingProgram('mariadbd');
  const { database, tables } = mariadb;
  const url = await createDatabase(serverUrl);
  const statements = [
    ...tables.map((table) => `CREATE TABLE \`${table}\` LIKE ${database}.\`${table}\``),
    ...FILLED.map((table) => `INSERT INTO ${table} SELECT * FROM ${database}.${table}`),
  ];
  await executeAt(url, statements.join(';'));
  return url;
}
