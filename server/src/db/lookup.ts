import type { Compilable } from 'kysely';
import { batchLoader } from '../runtime/batch-loader.ts';
import type { Db } from './open.ts';
import { compiledForMany } from './prepared.ts';

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
