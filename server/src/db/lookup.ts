import type { Compilable, CompiledQuery } from 'kysely';
import { gather } from './gather.ts';
import type { Db } from './open.ts';

/** How many keys one question may carry. Each size is a statement of its own, prepared once. */
const SIZES = [1, 2, 4, 8, 16, 32];
const LARGEST = 32;

/** Finds rows by a unique key; keys that are looked up at the same time travel in one question. */
export function lookup<Key extends string | number, Row>(
  db: Db,
  build: (keys: Key[]) => Compilable<Row>,
  keyOf: (row: Row) => Key,
): (key: Key) => Promise<Row | undefined> {
  const queries = SIZES.map((size) => build(Array<Key>(size).fill('' as Key)).compile());

  return gather(LARGEST, async (keys) => {
    const query = queries.find(({ parameters }) => parameters.length >= keys.length);
    // Unused places repeat the last key.
    const parameters = query?.parameters.map((_, index) => keys[index] ?? keys.at(-1));
    const rows = await db.read({ ...query, parameters } as CompiledQuery<Row>);
    const byKey = new Map(rows.map((row) => [keyOf(row), row]));
    return (key) => byKey.get(key);
  });
}
