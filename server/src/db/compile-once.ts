import type { Compilable, Kysely } from 'kysely';
import type { Parameter } from './parameters.ts';
import type { Database } from './schema.ts';

class Slot {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * For the hottest reads: the query is built and compiled once, a call only binds its values.
 *
 *     const byKey = compileOnce(kysely, ({ key }: { key: string }) =>
 *       kysely.selectFrom('player').selectAll().where('account_key', '=', key));
 *     const [player] = await byKey({ key: 'bob' });
 */
export function compileOnce<Values extends Readonly<Record<string, Parameter>>, Row>(
  kysely: Kysely<Database>,
  build: (slots: Values) => Compilable<Row>,
): (values: Values, executor?: Kysely<Database>) => Promise<Row[]> {
  const slots = new Proxy({}, { get: (_, name) => new Slot(String(name)) }) as Values;
  const compiled = build(slots).compile();
  return async (values, executor = kysely) => {
    const parameters = compiled.parameters.map((p) => (p instanceof Slot ? values[p.name] : p));
    const { rows } = await executor.executeQuery<Row>({ ...compiled, parameters });
    return rows;
  };
}
