import type { Compilable, CompiledQuery } from 'kysely';
import type { Db } from './open.ts';

/** Stands in for a parameter while a query is compiled; no value a query is written with looks like it. */
const placeholder = (index: number) => `\u0000parameter ${index}`;

/**
 * Compiles a query once; each call only binds. Building a query costs more than SQLite takes to answer it, so the
 * hot lookups go through here. The query must use each argument as a plain parameter.
 */
export function prepared<Args extends readonly (string | number)[], Row>(
  db: Db,
  build: (...args: Args) => Compilable<Row>,
  arity: Args['length'],
): (...args: Args) => Promise<Row[]> {
  const stands = Array.from({ length: arity }, (_, index) => placeholder(index));
  const compiled = build(...(stands as unknown as Args)).compile();
  const sources = compiled.parameters.map((parameter) => stands.indexOf(parameter as string));
  return (...args) => {
    const parameters = sources.map((source, index) =>
      source === -1 ? compiled.parameters[index] : args[source],
    );
    const query: CompiledQuery<Row> = { ...compiled, parameters };
    return db.read(query);
  };
}
