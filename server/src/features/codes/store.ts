import type { CodePurpose } from '@gatehouse/contract';
import { type QueryResult, sql } from 'kysely';
import { deleteOldest, sweepOlder } from '../../db/delete-in-batches.ts';
import { compiledOnce, prepared } from '../../db/lookup.ts';
import type { Db } from '../../db/open.ts';
import { insertedId } from '../../db/row-count.ts';
import { type Trx, type VerifiableChange, verifiedTransaction } from '../../db/transaction.ts';
import { changedOne, insertedNew } from '../../db/unchanged.ts';

const MAX_TRIES = 5;

/** The purpose of a code whose request named none. Valid for a registration and a new password. */
const UNNAMED = '';

/** An account of an e-mail address, and its usual addresses. */
export interface CodeOwner {
  readonly playerId: number;
  readonly addresses: readonly string[];
}

export interface NewCode {
  readonly email: string;
  readonly hash: string;
  readonly purpose: CodePurpose | undefined;
  readonly lifetimeMs: number;
}

const MAX_OWNERS = 50;

interface OwnerRow {
  readonly player_id: number | null;
  readonly ip: string | null;
  readonly last_login_ip: string | null;
}

/** Returns the accounts in rows that may have none. */
const ownersIn = (rows: readonly OwnerRow[]): CodeOwner[] =>
  rows.flatMap(({ player_id, ip, last_login_ip }) => {
    const addresses = [ip, last_login_ip].filter((each): each is string => Boolean(each));
    return player_id === null ? [] : { playerId: player_id, addresses };
  });

/** By how much the clocks of database nodes may differ. */
const MAX_CLOCK_SKEW_MS = 60_000;

const didChange = ({ numAffectedRows }: QueryResult<unknown>) => numAffectedRows === 1n;

/** The owner's tries are counted separately from those of strangers, who could otherwise exhaust each code. */
const triesOf = (isUsual: boolean) => (isUsual ? 'usual_attempts' : 'attempts');

export function codeStore(db: Db) {
  /** Codes with later times were made before the clock was set back. */
  const latestTime = () => sql<number>`${db.now} + ${MAX_CLOCK_SKEW_MS}`;

  const stillGood = (id: number) =>
    db.kysely
      .updateTable('verify')
      .where('id', '=', id)
      .where('used_at', 'is', null)
      .where('expires_at', '>', db.now);
  const owners = compiledOnce(
    (email: string) =>
      db.kysely
        .selectFrom('player')
        .select(['id as player_id', 'ip', 'last_login_ip'])
        .where('email', '=', email)
        .limit(MAX_OWNERS),
    1,
  );
  const unused = sql<number>`case when used_at is null and expires_at > ${db.now} then 1 else 0 end`;
  const newestOf = (email: string, purpose: string, alternative: string) =>
    db.kysely
      .selectFrom('verify')
      .select(['id', 'code_hash as hash', 'attempts', 'usual_attempts', unused.as('unused')])
      .where('email', '=', email)
      // SQLite builds a temporary table for each IN list.
      .where(({ eb, or }) => or([eb('purpose', '=', purpose), eb('purpose', '=', alternative)]))
      .where(({ eb }) => eb('created_at', '<=', latestTime()))
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1);
  const newestWithOwners = prepared(
    db,
    (email: string, purpose: string, alternative: string, day: string) =>
      db.kysely
        .selectFrom(newestOf(email, purpose, alternative).as('newest'))
        .leftJoin('player', (on) => on.on('player.email', '=', email))
        .leftJoin('wrong_code', (on) => on.on('wrong_code.email', '=', email).on('wrong_code.day', '=', day))
        .selectAll('newest')
        .select(['player.id as player_id', 'ip', 'last_login_ip', 'n', 'usual_n'])
        .limit(MAX_OWNERS),
    4,
  );
  const statements = (column: ReturnType<typeof triesOf>) => {
    const withTries = (id: number) => stillGood(id).where(column, '<', sql.lit(MAX_TRIES));
    return {
      takeTry: compiledOnce(
        (id: number) => withTries(id).set(({ eb }) => ({ [column]: eb(column, '+', sql.lit(1)) })),
        1,
      ),
      consume: compiledOnce((id: number) => withTries(id).set({ used_at: db.now }), 1),
    };
  };
  const compiled = { attempts: statements('attempts'), usual_attempts: statements('usual_attempts') };

  return {
    transaction: db.transaction,
    /** Runs one transaction over several stores; see verifiedTransaction. */
    allOrNothing: (change: VerifiableChange) => verifiedTransaction(db, change),

    ownersOf: async (email: string) => ownersIn(await db.read(owners([email]))),

    add: ({ email, hash, purpose, lifetimeMs }: NewCode): Promise<number> =>
      db.kysely
        .insertInto('verify')
        .values(({ eb }) => ({
          email,
          code_hash: hash,
          purpose: purpose ?? UNNAMED,
          created_at: db.now,
          expires_at: eb(db.now, '+', lifetimeMs),
        }))
        .$call(insertedId),

    /** Voids the earlier codes of the same purpose. */
    async voidEarlier(
      { email, purpose }: { email: string; purpose: CodePurpose | undefined },
      id: number,
    ): Promise<void> {
      const code = await db.kysely
        .selectFrom('verify')
        .select('created_at')
        .where('id', '=', id)
        .executeTakeFirst();
      if (!code) return;
      await db.kysely
        .updateTable('verify')
        .set({ used_at: db.now })
        .where('email', '=', email)
        .where('purpose', '=', purpose ?? UNNAMED)
        .where('used_at', 'is', null)
        .where(({ eb, or, and }) =>
          or([
            eb('created_at', '<', code.created_at),
            and([eb('created_at', '=', code.created_at), eb('id', '<', id)]),
            eb('created_at', '>', latestTime()),
          ]),
        )
        .execute();
    },

    async remove(id: number): Promise<void> {
      await db.kysely.deleteFrom('verify').where('id', '=', id).execute();
    },

    /** Returns the newest code only: after it is used, an older one does not become valid again. */
    async newest(email: string, purpose: CodePurpose, day: string) {
      const isUnnamed = purpose === 'register' || purpose === 'reset';
      const rows = await newestWithOwners(email, purpose, isUnnamed ? UNNAMED : purpose, day);
      const [row] = rows;
      if (!row) return undefined;
      const { id, hash, unused, n, usual_n } = row;
      return {
        id,
        hash,
        owners: ownersIn(rows),
        hasTries: (isUsual: boolean) => unused === 1 && row[triesOf(isUsual)] < MAX_TRIES,
        /** The wrong tries of the day at all codes of the address. */
        wrongTries: (isUsual: boolean) => (isUsual ? usual_n : n) ?? 0,
      };
    },

    /** Takes one of the code's tries. Returns false if it has none left, or is used or expired. */
    async takeTry(trx: Trx, id: number, isUsual: boolean): Promise<boolean> {
      return didChange(await trx.executeQuery(compiled[triesOf(isUsual)].takeTry([id])));
    },

    /** Uses up a code that still has a try, in the transaction it authorizes. */
    async consume(trx: Trx, id: number, isUsual: boolean): Promise<boolean> {
      return didChange(await trx.executeQuery(compiled[triesOf(isUsual)].consume([id])));
    },

    deleteExpired: sweepOlder(db, 'verify', ['id'], 'expires_at'),
  };
}

export type CodeStore = ReturnType<typeof codeStore>;

/** The user of the budget: the account's usual addresses, or all others. */
export type BudgetColumn = 'n' | 'usual_n';

export type BudgetStore = ReturnType<typeof budgetStore>;

/** The wrong tries of one day at the codes of one e-mail address. */
export interface Budget {
  readonly day: string;
  readonly email: string;
  readonly column: BudgetColumn;
}

/**
 * Counts wrong codes by day and e-mail address in the database: they outlive codes and restarts, and all instances share them.
 */
export function budgetStore(db: Db) {
  const { kysely } = db;
  const countedOf = (column: BudgetColumn) =>
    compiledOnce(
      (day: string, email: string) =>
        kysely
          .selectFrom('wrong_code')
          .select(`${column} as n`)
          .where('day', '=', day)
          .where('email', '=', email),
      2,
    );
  const compiled = { n: countedOf('n'), usual_n: countedOf('usual_n') };

  async function counted({ day, email, column }: Budget, on: Trx | Db['kysely'] = kysely): Promise<number> {
    const { rows } = await on.executeQuery(compiled[column]([day, email]));
    return rows[0]?.n ?? 0;
  }

  return {
    /** Counts one try. Returns false if the limit is reached. */
    async take(trx: Trx, { day, email, column }: Budget, limit: number): Promise<boolean> {
      const countUp = () =>
        trx
          .updateTable('wrong_code')
          .set(({ eb }) => ({ [column]: eb(column, '+', 1) }))
          .where('day', '=', day)
          .where('email', '=', email)
          .where(column, '<', limit)
          .$call(changedOne);
      // In this order: an insert that fails locks the row for reading, and two that hold such a lock wait for each other's update.
      if (await countUp()) return true;
      if ((await counted({ day, email, column }, trx)) >= limit) return false;
      const isFirst = await trx
        .insertInto('wrong_code')
        .values({ day, email, n: Number(column === 'n'), usual_n: Number(column === 'usual_n') })
        .$call(insertedNew);
      return isFirst || countUp();
    },

    counted,

    /** Records that the owner was notified. Returns false if that was done before. */
    async markTold({ day, email }: Budget): Promise<boolean> {
      return kysely
        .updateTable('wrong_code')
        .set({ told: 1 })
        .where('day', '=', day)
        .where('email', '=', email)
        .where('told', '=', 0)
        .$call(changedOne);
    },

    deleteBefore: (day: string, limit: number) =>
      deleteOldest(db, { table: 'wrong_code', key: ['day', 'email'], column: 'day', before: day, limit }),
  };
}
