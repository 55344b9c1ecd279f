import type { Generated, GeneratedAlways } from 'kysely';

/** A table, declared once and rendered for each engine, so that the engines cannot drift apart. */
export interface Table {
  readonly name: string;
  readonly columns: Readonly<Record<string, Column>>;
  /** Omitted if a `serial` column is the key. */
  readonly primaryKey?: readonly string[];
  readonly unique?: readonly (readonly string[])[];
  readonly index?: readonly (readonly string[])[];
}

/** `Value` is the column in the row types of schema.ts. */
export interface Column<Value = unknown> {
  readonly type: 'serial' | 'int' | 'bigint' | 'long text' | 'bytes' | { readonly textLength: number };
  readonly optional?: true;
  readonly default?: string | number | typeof databaseClock;
  /** An SQL expression over other columns; a generated column. */
  readonly derivedFrom?: string;
  /** Never set; it only carries the type. */
  readonly value?: Value;
}

/** The database fills in a column that has a default. */
type Filled<Value, Default> = Default extends undefined ? Value : Generated<Value>;

/** MariaDB and MySQL differ only in the names of their collations. */
export type Flavour = 'sqlite' | 'mariadb' | 'mysql';

/** Altering a large table is slow. Waits for a migration are longer than this. */
export const DEFINITION_TIMEOUT_MS = 600_000;

const databaseClock = Symbol('the database clock');

export const serial: Column<Generated<number>> = { type: 'serial' };
export const longText: Column<string> = { type: 'long text' };
/** Up to 16 MiB on MySQL. */
export const bytes: Column<Uint8Array> = { type: 'bytes' };
export const createdAt: Column<Generated<number>> = { type: 'bigint', default: databaseClock };
export const int = <D extends number | undefined = undefined>(fallback?: D) =>
  column<number, D>('int', fallback);
export const bigint = <D extends number | undefined = undefined>(fallback?: D) =>
  column<number, D>('bigint', fallback);
export const text = <D extends string | undefined = undefined>(textLength: number, fallback?: D) =>
  column<string, D>({ textLength }, fallback);
export const optional = <Value>(column: Column<Value>): Column<Value | null> => ({
  ...column,
  optional: true,
});
export const derived = <Value>(
  { type }: Column<Value>,
  derivedFrom: string,
): Column<GeneratedAlways<Value>> => ({ type, derivedFrom });

function column<Value, D extends string | number | undefined>(
  type: Column['type'],
  fallback: D | undefined,
): Column<Filled<Value, D>> {
  return fallback === undefined ? { type } : { type, default: fallback };
}

/** Names every index by one rule, so that SQLite's duplicate error, which lists columns, leads to the index. */
export function indexName(table: string, columns: readonly string[]): string {
  return [table, ...columns].join('_');
}

/**
 * The current time in milliseconds. Works in statements and as a default, in any session time zone, and in the SQLite versions
 * that operators have.
 */
export function nowSql(engine: 'sqlite' | 'mysql'): string {
  return engine === 'sqlite'
    ? `CAST((julianday('now') - 2440587.5) * 86400000 + 0.5 AS INTEGER)`
    : `(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000)`;
}

/** Renders idempotent statements: MySQL commits each one separately, and a migration may stop half way. */
export function createTable(table: Table, flavour: Flavour): string[] {
  return flavour === 'sqlite' ? sqliteTable(table) : [mysqlTable(table, flavour)];
}

/** Renders a column that a later migration adds. */
export function addColumn(table: string, name: string, column: Column, flavour: Flavour): string {
  return flavour === 'sqlite'
    ? `ALTER TABLE "${table}" ADD COLUMN ${sqliteColumn(name, column)}`
    : `ALTER TABLE \`${table}\` ADD COLUMN ${mysqlColumn(name, column)}`;
}

/** Renders an index that a later migration adds. */
export function addIndex(table: string, keys: readonly string[], flavour: Flavour): string {
  const quote = flavour === 'sqlite' ? '"' : '`';
  const quoted = (name: string) => list([name], quote);
  return `CREATE INDEX ${quoted(indexName(table, keys))} ON ${quoted(table)} (${list(keys, quote)})`;
}

/** Renders the removal of an index that a later migration replaces. */
export function dropIndex(table: string, keys: readonly string[], flavour: Flavour): string {
  const name = indexName(table, keys);
  return flavour === 'sqlite' ? `DROP INDEX "${name}"` : `DROP INDEX \`${name}\` ON \`${table}\``;
}

function sqliteTable({ name, columns, primaryKey, unique = [], index = [] }: Table): string[] {
  const lines = Object.entries(columns).map(([column, definition]) => sqliteColumn(column, definition));
  if (primaryKey) lines.push(`PRIMARY KEY (${list(primaryKey, '"')})`);
  // With a rowid, SQLite would generate an omitted integer key; MySQL refuses it.
  const options = primaryKey ? 'STRICT, WITHOUT ROWID' : 'STRICT';
  const createIndex = (kind: string) => (keys: readonly string[]) =>
    `CREATE ${kind} IF NOT EXISTS "${indexName(name, keys)}" ON "${name}" (${list(keys, '"')})`;
  return [
    `CREATE TABLE IF NOT EXISTS "${name}" (${lines.join(', ')}) ${options}`,
    ...unique.map(createIndex('UNIQUE INDEX')),
    ...index.map(createIndex('INDEX')),
  ];
}

function mysqlTable({ name, columns, primaryKey, unique = [], index = [] }: Table, flavour: Flavour): string {
  const lines = Object.entries(columns).map(([column, definition]) => mysqlColumn(column, definition));
  if (primaryKey) lines.push(`PRIMARY KEY (${list(primaryKey, '`')})`);
  const key = (kind: string) => (keys: readonly string[]) =>
    `${kind} \`${indexName(name, keys)}\` (${list(keys, '`')})`;
  lines.push(...unique.map(key('UNIQUE KEY')), ...index.map(key('KEY')));
  // Compares text byte for byte, trailing spaces included, as SQLite does.
  const collation = flavour === 'mariadb' ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin';
  return `CREATE TABLE IF NOT EXISTS \`${name}\` (${lines.join(', ')}) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=${collation}`;
}

function sqliteColumn(name: string, column: Column): string {
  const { type } = column;
  if (type === 'serial') return `"${name}" INTEGER PRIMARY KEY AUTOINCREMENT`;
  const affinities = { int: 'INTEGER', bigint: 'INTEGER', 'long text': 'TEXT', bytes: 'BLOB' };
  const affinity = typeof type === 'object' ? 'TEXT' : affinities[type];
  const limit = typeof type === 'object' ? ` CHECK (length("${name}") <= ${type.textLength})` : '';
  return `"${name}" ${affinity}${filling(column, 'sqlite')}${limit}`;
}

function mysqlColumn(name: string, column: Column): string {
  const { type } = column;
  if (type === 'serial') return `\`${name}\` BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY`;
  const words = { int: 'INT', bigint: 'BIGINT', 'long text': 'TEXT', bytes: 'MEDIUMBLOB' };
  return `\`${name}\` ${typeof type === 'object' ? `VARCHAR(${type.textLength})` : words[type]}${filling(column, 'mysql')}`;
}

function filling(column: Column, engine: 'sqlite' | 'mysql'): string {
  if (column.derivedFrom) return ` GENERATED ALWAYS AS (${column.derivedFrom}) STORED`;
  if (column.optional) return ' NULL';
  if (column.default === undefined) return ' NOT NULL';
  if (column.default === databaseClock) return ` NOT NULL DEFAULT (${nowSql(engine)})`;
  return ` NOT NULL DEFAULT ${typeof column.default === 'string' ? `'${column.default}'` : column.default}`;
}

function list(names: readonly string[], quote: string): string {
  return names.map((name) => `${quote}${name}${quote}`).join(', ');
}
