import type { Kysely } from 'kysely';
import type { ChatNames } from '../chat-names.ts';
import { bigint, type Column, createdAt, type Flavour, int, optional, type Table, text } from '../ddl.ts';

/** Changes of a later migration to an existing table. */
export interface Extension {
  readonly table: string;
  readonly columns?: Readonly<Record<string, Column>>;
  readonly index?: readonly (readonly string[])[];
  readonly droppedIndex?: readonly (readonly string[])[];
}

export interface Migration {
  readonly name: string;
  readonly tables?: readonly Table[];
  readonly extensions?: readonly Extension[];
  /** Statements after the first version; each must be idempotent. */
  readonly statements?: (flavour: Flavour) => readonly string[];
  /**
   * Fills new columns and tables from existing rows, in batches. Must be idempotent too. Without row types, which follow from the
   * migrations.
   */
  readonly fill?: (kysely: Kysely<ChatNames>, flavour: Flavour) => Promise<void>;
}

export const migrationTable = {
  name: 'migration',
  columns: { name: text(64), applied_at: createdAt },
  primaryKey: ['name'],
} as const satisfies Table;

export const lockTable = {
  name: 'migration_lock',
  columns: { id: int(), owner: optional(text(36)), expires_at: bigint(0) },
  primaryKey: ['id'],
} as const satisfies Table;
