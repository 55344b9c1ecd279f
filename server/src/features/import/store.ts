import { hash } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import { recountRegistrations } from '../../db/day-stat.ts';
import { classify } from '../../db/errors.ts';
import type { Db } from '../../db/open.ts';
import { hashWriter } from '../../db/password-hash.ts';
import type { Database } from '../../db/schema.ts';
import type { Trx } from '../../db/transaction.ts';
import { unchanged } from '../../db/unchanged.ts';
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

/** The old data at the time when both sides last agreed: SHA-256 of hash and e-mail, and the status. */
export interface Marks {
  readonly imported_hash: string | null;
  readonly imported_email: string | null;
  readonly imported_status: string | null;
}

/** An existing account. */
export interface Known extends Marks {
  readonly id: number;
  /** Undefined if it cannot be compared: an argon2id hash, or one sealed with a key that the settings do not have. */
  readonly hash: string | undefined;
  readonly email: string;
  /** `active` if the ban has ended. */
  readonly status: string;
  /** Password and ban as stored in the row. */
  readonly stored: Pick<
    Selectable<Database['player']>,
    'password_hash' | 'password_argon2' | 'status' | 'banned_until'
  >;
}

/** A change of an existing account, made only if the row is still as it was read. */
export interface PlayerChange {
  readonly before: Known;
  /** The values to take from the old data. */
  readonly take: Partial<State>;
  readonly marks: Partial<Marks>;
}

/** Players to add and to change in one transaction. */
export interface PlayerWrites {
  readonly added: readonly PlayerValues[];
  readonly changed: readonly PlayerChange[];
}

/** Stored for an unknown registration time: the column's default would make it a registration of today. */
export const UNKNOWN_TIME = 0;

const MARKS = ['imported_hash', 'imported_email', 'imported_status'] as const;

/** Rows of one INSERT and keys of one SELECT, well below the parameter limits of both engines. */
const ROWS = 500;

/** Returns the status at the time `now`: a ban that has ended stays in the row. */
export const statusAt = (
  now: number,
  { status, banned_until }: Pick<Known['stored'], 'status' | 'banned_until'>,
) => (status === 'banned' && banned_until !== null && banned_until <= now ? 'active' : status);

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
    .select(['id', 'account_key', 'password_hash', 'password_argon2', 'email', 'status', 'banned_until'])
    .select([...MARKS, db.now.as('now')])
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

  async function update(trx: Trx, { before, take, marks }: PlayerChange): Promise<void> {
    const { id, stored, email, imported_hash, imported_email, imported_status } = before;
    const endsTokens = take.hash !== undefined || take.status === 'banned';
    const { numUpdatedRows } = await trx
      .updateTable('player')
      .set(({ eb }) => ({
        ...marks,
        ...(take.hash !== undefined && hashes.columnsOf(take.hash, id)),
        ...(take.email !== undefined && { email: take.email, email_key: null }),
        ...(take.status !== undefined && { status: take.status, ban_reason: null, banned_until: null }),
        ...(endsTokens && { token_version: eb('token_version', '+', 1) }),
        // The person behind the account may have changed there.
        ...((take.hash !== undefined || take.email !== undefined) && { reset_at: db.now }),
      }))
      .where(unchanged({ id, ...stored, email, imported_hash, imported_email, imported_status }))
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) throw new StaleRow();
  }

  return {
    /** Returns the accounts that exist, by account key. */
    async knownOf(keys: readonly string[]): Promise<Map<string, Known>> {
      const known = new Map<string, Known>();
      for (const some of chunks(keys)) {
        for (const { account_key, password_hash, password_argon2, ...rest } of await rowsOf(kysely, some)) {
          const { status, banned_until, now, ...row } = rest;
          const opened = hashes.open(password_hash, row.id).toLowerCase();
          const isComparable = password_hash === '' ? password_argon2 === null : opened !== '';
          const stored = { password_hash, password_argon2, status, banned_until };
          known.set(account_key, {
            ...row,
            hash: isComparable ? opened : undefined,
            status: statusAt(now, stored),
            stored,
          });
        }
      }
      return known;
    },

    /**
     * Writes everything or nothing, together with the writes of `also`. Returns false if a player was added or changed meanwhile
     * or the commit was not confirmed; the caller must read again.
     */
    async writeAll(
      { added, changed }: PlayerWrites,
      also?: (trx: Trx) => Promise<unknown>,
    ): Promise<boolean> {
      try {
        await db.transaction(async (trx) => {
          for (const some of chunks(added)) {
            const insert = some.length === ROWS ? insertFull : insertOf(some.length);
            const parameters = some.flatMap((player) => [
              ...valuesOf(hashes.sealing ? { ...player, values: withoutHash(player.values) } : player),
              ...Object.values(undated),
            ]);
            await trx.executeQuery({ ...insert, parameters });
            if (hashes.sealing) await addSealed(trx, some);
          }
          if (added.length > 0) await recountRegistrations(db.engine, trx);
          // By id, so that all processes lock rows in the same order.
          for (const change of [...changed].sort((a, b) => a.before.id - b.before.id))
            await update(trx, change);
          await also?.(trx);
        });
        return true;
      } catch (error) {
        const failure = classify(error);
        if (error instanceof StaleRow || failure === 'duplicate' || failure === 'outcome_unknown')
          return false;
        throw error;
      }
    },
  };
}

/** The row was changed after it was read. */
class StaleRow extends Error {}

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
