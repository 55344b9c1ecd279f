import type { Compilable, CompiledQuery } from 'kysely';
import type { Db } from './open.ts';

type Key = string | number;

interface Waiting<K, Row> {
  readonly key: K;
  readonly found: (row: Row | undefined) => void;
  readonly failed: (error: unknown) => void;
}

/** How many keys one question may carry. Each size is a statement of its own, prepared once. */
const SIZES = [1, 2, 4, 8, 16, 32];
const LARGEST = 32;

/**
 * Finds rows by a unique key. A question to a database server costs far more than its answer, so what is asked for
 * during one turn of the event loop travels together; SQLite is at hand and is asked at once.
 */
export function lookup<K extends Key, Row>(
  db: Db,
  build: (keys: K[]) => Compilable<Row>,
  keyOf: (row: Row) => K,
): (key: K) => Promise<Row | undefined> {
  const queries = SIZES.map((size) => build(Array<K>(size).fill('' as K)).compile());

  function ask(keys: readonly K[]): Promise<Row[]> {
    const query = queries.find(({ parameters }) => parameters.length >= keys.length);
    // Unused places repeat the last key.
    const parameters = query?.parameters.map((_, index) => keys[index] ?? keys.at(-1));
    return db.read({ ...query, parameters } as CompiledQuery<Row>);
  }

  let waiting: Waiting<K, Row>[] = [];
  async function askTogether(group: readonly Waiting<K, Row>[]): Promise<void> {
    try {
      const rows = await ask(group.map(({ key }) => key));
      const byKey = new Map(rows.map((row) => [keyOf(row), row]));
      for (const { key, found } of group) found(byKey.get(key));
    } catch (error) {
      for (const { failed } of group) failed(error);
    }
  }
  function askAll(): void {
    const all = waiting;
    waiting = [];
    for (let start = 0; start < all.length; start += LARGEST) askTogether(all.slice(start, start + LARGEST));
  }

  if (db.engine === 'sqlite') return async (key) => (await ask([key]))[0];
  return (key) =>
    new Promise((found, failed) => {
      if (waiting.length === 0) setImmediate(askAll);
      waiting.push({ key, found, failed });
    });
}
