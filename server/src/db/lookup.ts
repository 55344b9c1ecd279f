import type { Compilable } from 'kysely';
import { batchLoader } from '../runtime/batch-loader.ts';
import type { Db } from './open.ts';
import { compiledForMany } from './prepared.ts';

/** How many keys one question may carry. */
const LARGEST = 32;

type Keys = string | number;

/** Asks for many keys in one question, with statements that are compiled once. */
function asking<Key extends Keys, Row>(db: Db, build: (keys: Key[]) => Compilable<Row>) {
  const bind = compiledForMany((keys: [Key][]) => build(keys.flat() as Key[]), 1);
  return (keys: readonly Key[]) => db.read(bind(keys.map((key) => [key])));
}

/** Finds rows by a unique key; keys that are looked up at the same time travel in one question. */
export function lookup<Key extends Keys, Row>(
  db: Db,
  build: (keys: Key[]) => Compilable<Row>,
  keyOf: (row: Row) => Key,
): (key: Key) => Promise<Row | undefined> {
  const ask = asking(db, build);
  return batchLoader(LARGEST, async (keys) => {
    const byKey = new Map((await ask(keys)).map((row) => [keyOf(row), row]));
    return keys.map((key) => byKey.get(key));
  });
}

/** The same where a key has any number of rows; they keep the order of the answer. */
export function lookupAll<Key extends Keys, Row>(
  db: Db,
  build: (keys: Key[]) => Compilable<Row>,
  keyOf: (row: Row) => Key,
): (key: Key) => Promise<Row[]> {
  const ask = asking(db, build);
  return batchLoader(LARGEST, async (keys) => {
    const byKey = Map.groupBy(await ask(keys), keyOf);
    return keys.map((key) => byKey.get(key) ?? []);
  });
}
