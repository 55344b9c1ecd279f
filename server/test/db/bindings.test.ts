import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { describeOnEngines } from '../../../test-support/engines.ts';
import { prepared } from '../../src/db/lookup.ts';
import { migrated } from './opened.ts';

const largest = Number.MAX_SAFE_INTEGER;

describeOnEngines('bound and returned values', (engine) => {
  test.each([
    ['a Date', new Date()],
    ['an object', { a: 1 }],
    ['an array', ['a']],
    ['a boolean', true],
    ['undefined', undefined],
    ['NaN', Number.NaN],
    ['infinity', Number.POSITIVE_INFINITY],
    ['an integer that lost digits', 2 ** 53],
    ['a symbol', Symbol('s')],
  ])('when %s is bound, then it is refused by its position and nothing is sent', async (_, value) => {
    const db = await migrated(engine);
    await expect(sql`select ${'fine'}, ${value}`.execute(db.kysely)).rejects.toThrow(/SQL parameter 2 is /);
    await expect(sql`select ${'fine'}, ${value}`.execute(db.kysely)).rejects.toThrow(TypeError);
    await db.ping();
  });

  test('when plain values are bound, then they are returned unchanged', async () => {
    const db = await migrated(engine);
    const text = 'It\'s "quoted" \\ \0 界 😀 %_ --';
    const bytes = new Uint8Array([0, 255, 39, 92]);
    const { rows } = await sql`select ${text} as text, ${bytes} as bytes, ${0.5} as half, ${null} as empty,
      ${largest} as largest, ${-largest} as smallest, ${7n} as big`.execute(db.kysely);
    const [row] = rows as Record<string, unknown>[];
    expect(row).toMatchObject({ text, half: 0.5, empty: null, largest, smallest: -largest, big: 7 });
    expect(new Uint8Array(row?.bytes as Uint8Array)).toEqual(bytes);
  });

  test('when 2^53 - 1 is stored, then it is exact, also in sums and comparisons', async () => {
    const db = await migrated(engine);
    for (const [id, amount] of [
      ['a', largest - 1],
      ['b', 1],
      ['c', -largest],
    ] as const) {
      await db.kysely.insertInto('withdraw').values({ id, player_id: 1, server_id: 1, amount }).execute();
    }
    const amounts = db.kysely.selectFrom('withdraw').select('amount').orderBy('id');
    expect(await amounts.execute()).toEqual([{ amount: largest - 1 }, { amount: 1 }, { amount: -largest }]);
    const found = await amounts.where('amount', '=', largest - 1).execute();
    expect(found).toHaveLength(1);
    const { sum } = await db.kysely
      .selectFrom('withdraw')
      .select((row) => row.fn.sum<number>('amount').as('sum'))
      .where('amount', '>', 0)
      .executeTakeFirstOrThrow();
    expect(sum).toBe(largest);
    const { rows } = await sql`select concat(${largest}, '') as digits`.execute(db.kysely);
    expect(rows).toEqual([{ digits: '9007199254740991' }]);
  });

  test('when the database holds more than a number can, then reading is refused', async () => {
    const db = await migrated(engine);
    await sql`insert into withdraw_day (player_id, day, amount) values (1, '2030-01-01', ${2n ** 53n})`.execute(
      db.kysely,
    );
    const read = db.kysely.selectFrom('withdraw_day').select('amount').execute();
    await expect(read).rejects.toThrow(RangeError);
    const sum = db.kysely
      .selectFrom('withdraw_day')
      .select((row) => row.fn.sum('amount').as('sum'))
      .execute();
    await expect(sum).rejects.toThrow(RangeError);
  });

  test('when a limit and an offset are bound, then they apply', async () => {
    const db = await migrated(engine);
    for (const name of ['a', 'b', 'c']) await db.kysely.insertInto('agent').values({ name }).execute();
    const page = await db.kysely
      .selectFrom('agent')
      .select('name')
      .orderBy('name')
      .limit(1)
      .offset(1)
      .execute();
    expect(page).toEqual([{ name: 'b' }]);
  });

  test('when an update changes nothing, then the matched row still counts, and no match counts as zero', async () => {
    const db = await migrated(engine);
    await db.kysely.insertInto('agent').values({ name: 'a' }).execute();
    const rename = (id: number) =>
      db.kysely.updateTable('agent').set({ name: 'a' }).where('agent_id', '=', id).executeTakeFirst();
    expect((await rename(1)).numUpdatedRows).toBe(1n);
    expect((await rename(2)).numUpdatedRows).toBe(0n);
  });

  test('when a row is inserted, then its automatic id is returned', async () => {
    const db = await migrated(engine);
    const insert = () =>
      db.kysely.insertInto('player').values({ account: crypto.randomUUID() }).executeTakeFirst();
    expect((await insert()).insertId).toBe(1n);
    expect((await insert()).insertId).toBe(2n);
  });

  test('when a query is compiled once, then each call binds its own values', async () => {
    const db = await migrated(engine);
    const byKey = prepared(
      db,
      (key: string, most: number) =>
        db.kysely.selectFrom('player').select('account').where('account_key', '=', key).limit(most),
      2,
    );
    for (const account of ['Ann', 'Bob']) await db.kysely.insertInto('player').values({ account }).execute();
    expect(await byKey('ann', 1)).toEqual([{ account: 'Ann' }]);
    expect(await byKey('bob', 1)).toEqual([{ account: 'Bob' }]);
    expect(await byKey('bob', 0)).toEqual([]);
  });

  test('when a query changes or ignores an argument, then it cannot be compiled once', async () => {
    const db = await migrated(engine);
    const players = db.kysely.selectFrom('player').select('account');
    const changed = (key: string) => players.where('account_key', '=', key.toUpperCase());
    const ignored = (key: string, _other: string) => players.where('account_key', '=', key);
    expect(() => prepared(db, changed, 1)).toThrow('argument 0 is not a parameter');
    expect(() => prepared(db, ignored, 2)).toThrow('argument 1 is not a parameter');
  });
});
