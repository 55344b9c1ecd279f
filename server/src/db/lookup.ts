import type { Compilable } from 'kysely';
import { gather } from './gather.ts';
import type { Db } from './open.ts';
import { compiledForMany } from './prepared.ts';

/** How many keys one question may carry. */
const LARGEST = 32;

/** Finds rows by a unique key; keys that are looked up at the same time travel in one question. */
export function lookup<Key extends string | number, Row>(
  db: Db,
  build: (keys: Key[]) => Compilable<Row>,
  keyOf: (row: Row) => Key,
): (key: Key) => Promise<Row | undefined> {
  const bind = compiledForMany((keys: [Key][]) => build(keys.flat() as Key[]), 1);

  return gather(LARGEST, async (keys) => {
    const rows = await db.read(bind(keys.map((key) => [key])));
    const byKey = new Map(rows.map((row) => [keyOf(row), row]));
    return (key) => byKey.get(key);
  });
}
