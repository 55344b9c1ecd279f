import type { Flavour, Table } from '../ddl.ts';

export interface Migration {
  readonly name: string;
  readonly tables?: readonly Table[];
  /** For what comes after the first version; each statement must bear being repeated. */
  readonly statements?: (flavour: Flavour) => readonly string[];
}
