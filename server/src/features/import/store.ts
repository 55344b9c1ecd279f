import { classify } from '../../db/errors.ts';
import type { Db } from '../../db/open.ts';
import type { Trx } from '../../db/transaction.ts';

/** Columns of `player` that old data can fill. */
export const importable = [
  'account',
  'password_hash',
  'email',
  'server_id',
  'ip',
  'device',
  'os',
  'browse',
  'agent_id',
  'created_at',
  'last_login_at',
  'last_login_ip',
  'login_count',
  'status',
] as const;

export type Column = (typeof importable)[number];

/** The values of one player, in the order of the chosen columns. */
export interface PlayerValues {
  readonly values: readonly (string | number | null)[];
}

/** Rows of one INSERT and keys of one SELECT: well below what either engine takes as parameters. */
const ROWS = 500;

export function importStore(db: Db, columns: readonly Column[]) {
  const { kysely } = db;
  const template = Object.fromEntries(columns.map((column) => [column, '']));
  const insertOf = (rows: number) =>
    kysely
      .insertInto('player')
      .values(Array<typeof template & { account: string }>(rows).fill({ account: '', ...template }))
      .compile();
  // Building a statement with thousands of parameters costs more than sending it.
  const insertFull = insertOf(ROWS);
  const lookUp = kysely
    .selectFrom('player')
    .select(['account_key', 'password_hash'])
    .where('account_key', 'in', Array<string>(ROWS).fill(''))
    .compile();

  return {
    async now(): Promise<number> {
      const { now } = await kysely.selectNoFrom(db.now.as('now')).executeTakeFirstOrThrow();
      return now;
    },

    /** The stored hashes of those accounts that exist, by account key. */
    async hashesOf(keys: readonly string[]): Promise<Map<string, string>> {
      const known = new Map<string, string>();
      for (const some of chunks(keys)) {
        // Filled up by repetition, so that one statement serves any number.
        const parameters = Array.from({ length: ROWS }, (_, index) => some[index] ?? some[0]);
        const query: typeof lookUp = { ...lookUp, parameters };
        const { rows } = await kysely.executeQuery(query);
        for (const row of rows) known.set(row.account_key, row.password_hash.toLowerCase());
      }
      return known;
    },

    /**
     * Adds all or none, and what else belongs to them. False: somebody else was quicker with one of them, or the commit
     * was not confirmed; look again.
     */
    async addAll(players: readonly PlayerValues[], also?: (trx: Trx) => Promise<unknown>): Promise<boolean> {
      try {
        await db.transaction(async (trx) => {
          for (const some of chunks(players)) {
            const insert = some.length === ROWS ? insertFull : insertOf(some.length);
            await trx.executeQuery({ ...insert, parameters: some.flatMap(({ values }) => values) });
          }
          await also?.(trx);
        });
        return true;
      } catch (error) {
        const failure = classify(error);
        if (failure === 'duplicate' || failure === 'outcome_unknown') return false;
        throw error;
      }
    },
  };
}

export type ImportStore = ReturnType<typeof importStore>;

function* chunks<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += ROWS) yield items.slice(start, start + ROWS);
}
