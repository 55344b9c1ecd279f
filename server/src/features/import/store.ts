import { hash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { recountRegistrations } from '../../db/day-stat.ts';
import { classify } from '../../db/errors.ts';
import type { Db } from '../../db/open.ts';
import { hashWriter } from '../../db/password-hash.ts';
import type { Database } from '../../db/schema.ts';
import type { Trx } from '../../db/transaction.ts';
import { accountKey } from '../../security/account-key.ts';
import { createPasswordHashes, type PasswordHashes } from '../../security/password-hashes.ts';

/** Columns of `player` that can be imported. */
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

/** The values of an account to import that may later change on either side. */
export interface State {
  readonly hash: string;
  /** Undefined if the source has no such column. */
  readonly email?: string | undefined;
  readonly status?: string | undefined;
}

/** The values of one player, in the order of the chosen columns. */
export interface PlayerValues extends State {
  readonly values: readonly (string | number | null)[];
}

/** An existing account. */
export interface Known {
  /** Undefined for an argon2id hash, which cannot be compared with an md5 hash without computing one. */
  readonly hash: string | undefined;
  readonly email: string;
  readonly status: string;
  readonly imported_hash: string | null;
  readonly imported_email: string | null;
  readonly imported_status: string | null;
}

/** Stored for an unknown registration time: the column's default would make it a registration of today. */
export const UNKNOWN_TIME = 0;

const MARKS = ['imported_hash', 'imported_email', 'imported_status'] as const;

/** Rows of one INSERT and keys of one SELECT, well below the parameter limits of both engines. */
const ROWS = 500;

export function importStore(
  db: Db,
  columns: readonly Column[],
  hashes: PasswordHashes = createPasswordHashes(),
) {
  const { kysely } = db;
  const undated = columns.includes('created_at') ? {} : { created_at: UNKNOWN_TIME };
  const template = {
    ...Object.fromEntries([...columns, 'origin', ...MARKS].map((column) => [column, ''])),
    ...undated,
  };
  const insertOf = (rows: number) =>
    kysely
      .insertInto('player')
      .values(Array<typeof template & { account: string }>(rows).fill({ account: '', ...template }))
      .compile();
  // Compile once: building a statement with thousands of parameters costs more than sending it.
  const insertFull = insertOf(ROWS);
  const lookUp = kysely
    .selectFrom('player')
    .select(['id', 'account_key', 'password_hash', 'password_argon2', 'email', 'status', ...MARKS])
    .where('account_key', 'in', Array<string>(ROWS).fill(''))
    .compile();

  const accountAt = columns.indexOf('account');
  const hashAt = columns.indexOf('password_hash');
  const withoutHash = (values: PlayerValues['values']) => values.with(hashAt, '');
  const writeHashes = hashWriter(db);

  async function rowsOf(on: Kysely<Database>, keys: readonly string[]) {
    // Pad with repeated keys, so that one statement serves any number.
    const parameters = Array.from({ length: ROWS }, (_, index) => keys[index] ?? keys[0]);
    const query: typeof lookUp = { ...lookUp, parameters };
    return (await on.executeQuery(query)).rows;
  }

  /** Writes the hashes after the insert: sealing needs the rows' ids. */
  async function addSealed(trx: Trx, players: readonly PlayerValues[]): Promise<void> {
    const hashOf = new Map(
      players.map(({ values }) => [accountKey(String(values[accountAt])), String(values[hashAt])]),
    );
    const rows = await rowsOf(trx, [...hashOf.keys()]);
    const changes = rows.map(({ id, account_key }) => ({
      id,
      from: '',
      to: hashes.seal(hashOf.get(account_key) ?? '', id),
    }));
    await writeHashes(trx, changes);
  }

  return {
    /** Returns the accounts that exist, by account key. */
    async knownOf(keys: readonly string[]): Promise<Map<string, Known>> {
      const known = new Map<string, Known>();
      for (const some of chunks(keys)) {
        for (const { id, account_key, password_hash, password_argon2, ...row } of await rowsOf(
          kysely,
          some,
        )) {
          const isArgon2 = password_hash === '' && password_argon2 !== null;
          const hash = isArgon2 ? undefined : hashes.open(password_hash, id).toLowerCase();
          known.set(account_key, { ...row, hash });
        }
      }
      return known;
    },

    /**
     * Adds all players or none, together with the writes of `also`. Returns false if one of them was added meanwhile or the
     * commit was not confirmed; the caller must read again.
     */
    async addAll(players: readonly PlayerValues[], also?: (trx: Trx) => Promise<unknown>): Promise<boolean> {
      try {
        await db.transaction(async (trx) => {
          for (const some of chunks(players)) {
            const insert = some.length === ROWS ? insertFull : insertOf(some.length);
            const parameters = some.flatMap((player) => [
              ...valuesOf(hashes.sealing ? { ...player, values: withoutHash(player.values) } : player),
              ...Object.values(undated),
            ]);
            await trx.executeQuery({ ...insert, parameters });
            if (hashes.sealing) await addSealed(trx, some);
          }
          await recountRegistrations(db.engine, trx);
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

/** Returns a digest that shows whether a text has changed, without revealing it. */
export const fingerprint = (text: string) => hash('sha256', text);

/** Returns the values in column order, the marks last. */
const valuesOf = ({ values, hash: password, email = '', status = 'active' }: PlayerValues) => [
  ...values,
  'import',
  fingerprint(password),
  fingerprint(email),
  status,
];

export type ImportStore = ReturnType<typeof importStore>;

function* chunks<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += ROWS) yield items.slice(start, start + ROWS);
}
