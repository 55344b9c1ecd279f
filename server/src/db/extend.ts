import { type Kysely, sql } from 'kysely';
import { addColumn, addIndex, type Flavour, indexName } from './ddl.ts';
import type { Extension } from './migrations/migration.ts';
import type { Database } from './schema.ts';

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
  for (const { table, columns = {}, index = [] } of extensions) {
    const present = flavour === 'sqlite' ? new Set<string>() : await namesIn(kysely, table);
    for (const [name, column] of Object.entries(columns))
      if (!present.has(name)) statements.push(addColumn(table, name, column, flavour));
    for (const keys of index)
      if (!present.has(indexName(table, keys))) statements.push(addIndex(table, keys, flavour));
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
