import type { Compilable, CompiledQuery } from 'kysely';
import { batchLoader } from '../runtime/batch-loader.ts';
import type { Db } from './open.ts';

type Value = string | number | null;

/** Stands in for a parameter while a query is compiled; no real value looks like it. */
const placeholder = (index: number) => `\u0000parameter ${index}`;

/**
 * Compiles a query once; each call only binds. Building a query takes longer than SQLite needs to answer it, so hot queries go
 * through here. The query must use each argument as a plain parameter; one that is changed or left out could not be bound, and
 * fails when the query is compiled.
 */
export function compiledOnce<Args extends readonly Value[], Row>(
  build: (...args: Args) => Compilable<Row>,
  arity: Args['length'],
): (args: Args) => CompiledQuery<Row> {
  const placeholders = Array.from({ length: arity }, (_, index) => placeholder(index));
  const compiled = build(...(placeholders as unknown as Args)).compile();
  const sources = compiled.parameters.map((parameter) => placeholders.indexOf(parameter as string));
  const bound = new Set(sources);
  const unbound = placeholders.findIndex((_, index) => !bound.has(index));
  if (unbound !== -1)
    throw new Error(`argument ${unbound} is not a parameter of the prepared query: ${compiled.sql}`);
  if (sources.length === arity && sources.every((source, index) => source === index))
    return (args) => ({ ...compiled, parameters: args });
  return (args) => ({
    ...compiled,
    parameters: sources.map((source, index) => (source === -1 ? compiled.parameters[index] : args[source])),
  });
}

export function prepared<Args extends readonly Value[], Row>(
  db: Db,
  build: (...args: Args) => Compilable<Row>,
  arity: Args['length'],
): (...args: Args) => Promise<Row[]> {
  const bind = compiledOnce(build, arity);
  return (...args) => db.read(bind(args));
}

/** Compiles a statement for a list of items, once per list length. */
export function compiledBySize<Item extends readonly Value[], Row>(
  build: (items: Item[]) => Compilable<Row>,
  width: Item['length'],
): (items: readonly Item[]) => CompiledQuery<Row> {
  const bySize = new Map<number, (values: Value[]) => CompiledQuery<Row>>();

  function compile(size: number) {
    const itemsOf = (values: Value[]) =>
      Array.from({ length: size }, (_, index) => values.slice(index * width, (index + 1) * width));
    const bind = compiledOnce(
      (...values: Value[]) => build(itemsOf(values) as unknown as Item[]),
      size * width,
    );
    bySize.set(size, bind);
    return bind;
  }

  return (items) => (bySize.get(items.length) ?? compile(items.length))(items.flat());
}

/**
 * Same with few statements to prepare: compiled for one, two, four, … items and padded with the last item, so repeating an item
 * must not change the result.
 */
export function compiledForMany<Item extends readonly Value[], Row>(
  build: (items: Item[]) => Compilable<Row>,
  width: Item['length'],
): (items: readonly Item[]) => CompiledQuery<Row> {
  const bind = compiledBySize(build, width);
  return (items) => {
    const [last] = items.slice(-1);
    const padding = 2 ** Math.ceil(Math.log2(items.length)) - items.length;
    return bind(last === undefined ? items : [...items, ...Array<Item>(padding).fill(last)]);
  };
}

/** Maximum keys per query. */
const MAX_BATCH_SIZE = 32;

type Keys = string | number;

/** Reads the rows of many keys with one query, compiled once. */
function batchQuery<Key extends Keys, Row>(db: Db, build: (keys: Key[]) => Compilable<Row>) {
  const bind = compiledForMany((keys: [Key][]) => build(keys.flat() as Key[]), 1);
  return (keys: readonly Key[]) => db.read(bind(keys.map((key) => [key])));
}

/** Finds rows by a unique key. Concurrent lookups share one query. */
export function lookup<Key extends Keys, Row>(
  db: Db,
  build: (keys: Key[]) => Compilable<Row>,
  keyOf: (row: Row) => Key,
): (key: Key) => Promise<Row | undefined> {
  const query = batchQuery(db, build);
  return batchLoader(MAX_BATCH_SIZE, async (keys) => {
    const byKey = new Map((await query(keys)).map((row) => [keyOf(row), row]));
    return keys.map((key) => byKey.get(key));
  });
}

/** Same for keys with any number of rows, in the order of the result. */
export function lookupAll<Key extends Keys, Row>(
  db: Db,
  build: (keys: Key[]) => Compilable<Row>,
  keyOf: (row: Row) => Key,
): (key: Key) => Promise<Row[]> {
  const query = batchQuery(db, build);
  return batchLoader(MAX_BATCH_SIZE, async (keys) => {
    const byKey = Map.groupBy(await query(keys), keyOf);
    return keys.map((key) => byKey.get(key) ?? []);
  });
}
