import { sql } from 'kysely';
import type { Db } from '../../src/db/open.ts';

export interface TableShape {
  columns: Record<string, { kind: string; nullable: boolean; filledIn: boolean }>;
  keys: Record<string, { columns: string[]; unique: boolean }>;
}

/** An index that exists only on SQLite. */
const SQLITE_ONLY = 'chat_unindexed';

/** Describes the tables in terms common to both engines. */
export function shapesOf(db: Db): Promise<Record<string, TableShape>> {
  return db.engine === 'sqlite' ? sqliteShapes(db) : mysqlShapes(db);
}

async function sqliteShapes({ kysely }: Db): Promise<Record<string, TableShape>> {
  const { rows: tables } = await sql<{ name: string }>`
    select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`.execute(kysely);
  const shape: Record<string, TableShape> = {};
  for (const { name } of tables) {
    const { rows: columns } = await sql<{
      name: string;
      type: string;
      notnull: number;
      dflt_value: string | null;
      pk: number;
      hidden: number;
    }>`select * from pragma_table_xinfo(${name})`.execute(kysely);
    const table: TableShape = { columns: {}, keys: {} };
    const serial = columns.filter((column) => column.pk > 0 && column.notnull === 0);
    for (const column of columns) {
      const derived = column.hidden === 3;
      const nullable = !serial.includes(column) && column.notnull === 0;
      table.columns[column.name] = {
        kind: column.type === 'INTEGER' ? 'number' : 'text',
        nullable,
        filledIn: nullable || derived || serial.includes(column) || column.dflt_value !== null,
      };
    }
    const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    table.keys.PRIMARY = { columns: key.map((column) => column.name), unique: true };
    const { rows: indexes } = await sql<{ name: string; unique: number; origin: string }>`
      select name, "unique", origin from pragma_index_list(${name})`.execute(kysely);
    for (const index of indexes.filter(({ name, origin }) => origin === 'c' && name !== SQLITE_ONLY)) {
      const { rows: parts } = await sql<{ name: string }>`
        select name from pragma_index_info(${index.name}) order by seqno`.execute(kysely);
      table.keys[index.name] = { columns: parts.map((part) => part.name), unique: index.unique === 1 };
    }
    shape[name] = table;
  }
  return shape;
}

async function mysqlShapes({ kysely }: Db): Promise<Record<string, TableShape>> {
  const { rows: columns } = await sql<{
    t: string;
    c: string;
    data_type: string;
    nullable: string;
    fallback: string | null;
    extra: string;
  }>`select table_name as t, column_name as c, data_type as data_type, is_nullable as nullable,
      column_default as fallback, extra as extra
    from information_schema.columns where table_schema = database() order by ordinal_position`.execute(
    kysely,
  );
  const { rows: keys } = await sql<{ t: string; k: string; c: string; non_unique: number }>`
    select table_name as t, index_name as k, column_name as c, non_unique as non_unique
    from information_schema.statistics where table_schema = database() order by seq_in_index`.execute(kysely);
  const shape: Record<string, TableShape> = {};
  for (const { t, c, data_type, nullable, fallback, extra } of columns) {
    shape[t] ??= { columns: {}, keys: {} };
    shape[t].columns[c] = {
      kind: data_type.endsWith('int') ? 'number' : 'text',
      nullable: nullable === 'YES',
      filledIn: nullable === 'YES' || fallback !== null || extra !== '',
    };
  }
  for (const { t, k, c, non_unique } of keys) {
    const table = shape[t];
    if (table === undefined) continue;
    table.keys[k] ??= { columns: [], unique: non_unique === 0 };
    table.keys[k].columns.push(c);
  }
  return shape;
}
