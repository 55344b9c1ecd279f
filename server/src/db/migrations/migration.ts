import type { Kysely } from 'kysely';
import type { Column, Flavour, Table } from '../ddl.ts';
import type { Database } from '../schema.ts';

/** Additions of a later migration to an existing table. */
export interface Extension {
  readonly table: string;
  readonly columns?: Readonly<Record<string, Column>>;
  readonly index?: readonly (readonly string[])[];
}

export interface Migration {
  readonly name: string;
  readonly tables?: readonly Table[];
  readonly extensions?: readonly Extension[];
  /** Statements after the first version; each must be idempotent. */
  readonly statements?: (flavour: Flavour) => readonly string[];
  /** Fills new columns and tables from existing rows, in batches. Must be idempotent too. */
  readonly fill?: (kysely: Kysely<Database>, flavour: Flavour) => Promise<void>;
}
