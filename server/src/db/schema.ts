import type { ChatNames } from './chat-names.ts';
import type { Column } from './ddl.ts';
import type { Migrated } from './migrations/index.ts';
import type { lockTable, migrationTable } from './migrations/migration.ts';

type Created =
  | Extract<Migrated, { tables: unknown }>['tables'][number]
  | typeof migrationTable
  | typeof lockTable;
type Extended = Extract<
  Extract<Migrated, { extensions: unknown }>['extensions'][number],
  { columns: unknown }
>;

/** The columns of a table, by the migrations that added them. */
type ColumnsOf<Name> =
  | Extract<Created, { name: Name }>['columns']
  | Extract<Extended, { table: Name }>['columns'];
type NameIn<Columns> = Columns extends unknown ? keyof Columns : never;
type ValueIn<Columns, Name extends PropertyKey> =
  Columns extends Record<Name, Column<infer Value>> ? Value : never;
type Row<Columns> = { [Name in NameIn<Columns>]: ValueIn<Columns, Name> };

type Tables = { [Name in Created['name']]: Row<ColumnsOf<Name>> };

/**
 * The row types, inferred from the tables and columns of the migrations. Times are milliseconds since 1970 UTC. `Generated` marks
 * columns that the database fills in.
 */
export interface Database extends Tables, ChatNames {}
