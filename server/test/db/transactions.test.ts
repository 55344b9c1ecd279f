import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { describeOnEngines, freshMariadbUrl } from '../../../test-support/engines.ts';
import { classify } from '../../src/db/errors.ts';
import { type DatabaseLimits, usualLimits } from '../../src/db/limits.ts';
import type { Db } from '../../src/db/open.ts';
import { migrated, opened, rejection } from './opened.ts';
import { startProxy } from './proxy.ts';

describeOnEngines('a transaction', (engine) => {
  test('when the work throws, then nothing is stored and the same error is thrown', async () => {
    const db = await migrated(engine);
    const refusal = new Error('no');
    const work = db.transaction(async (trx) => {
      await trx.insertInto('agent').values({ name: 'a' }).execute();
      throw refusal;
    });
    expect(await rejection(work)).toBe(refusal);
    expect(await names(db)).toEqual([]);
  });

  test('when a duplicate is caught inside, then the rest is still committed', async () => {
    const db = await migrated(engine);
    await db.kysely.insertInto('player').values({ account: 'ann' }).execute();
    await db.transaction(async (trx) => {
      await trx.insertInto('agent').values({ name: 'before' }).execute();
      expect(classify(await rejection(trx.insertInto('player').values({ account: 'ANN' }).execute()))).toBe(
        'duplicate',
      );
      await trx.insertInto('agent').values({ name: 'after' }).execute();
    });
    expect(await names(db)).toEqual(['after', 'before']);
  });

  test('when 60 transactions count concurrently, then no count is lost', async () => {
    const db = await migrated(engine);
    await db.kysely.insertInto('day_counter').values({ name: 'n', day: 'd' }).execute();
    const count = () =>
      db.transaction(async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('day_counter')
          .set((row) => ({ n: row('n', '+', 1) }))
          .where('n', '<', 40)
          .executeTakeFirst();
        return numUpdatedRows === 1n;
      });
    const outcomes = await Promise.all(Array.from({ length: 60 }, count));
    expect(outcomes.filter(Boolean)).toHaveLength(40);
    expect(await db.kysely.selectFrom('day_counter').select('n').execute()).toEqual([{ n: 40 }]);
  });

  test('when the last handle is closed, then further statements are refused', async () => {
    const db = await migrated(engine);
    await db.close();
    await expect(db.kysely.selectFrom('agent').selectAll().execute()).rejects.toThrow();
    await expect(db.transaction((trx) => trx.selectFrom('agent').selectAll().execute())).rejects.toThrow();
  });
});

test('when two transactions deadlock, then the victim is repeated as a whole, even if it swallowed the error', async () => {
  const db = await opened(await freshMariadbUrl());
  await db.kysely
    .insertInto('day_counter')
    .values([
      { name: 'a', day: 'd' },
      { name: 'b', day: 'd' },
    ])
    .execute();
  const met = Promise.withResolvers<void>();
  let attempts = 0;
  let waiting = 0;
  const cross = (first: string, second: string) =>
    db.transaction(async (trx) => {
      attempts++;
      const raise = (name: string) =>
        trx
          .updateTable('day_counter')
          .set((row) => ({ n: row('n', '+', 1) }))
          .where('name', '=', name)
          .execute();
      await raise(first);
      if (++waiting === 2) met.resolve();
      await met.promise;
      await raise(second).catch(() => {});
      await trx
        .insertInto('agent')
        .values({ name: first })
        .execute()
        .catch(() => {});
    });
  await Promise.all([cross('a', 'b'), cross('b', 'a')]);

  // More often if the server ended a transaction while this process was suspended.
  expect(attempts).toBeGreaterThanOrEqual(3);
  expect(await names(db)).toEqual(['a', 'b']);
  expect(await db.kysely.selectFrom('day_counter').select('n').execute()).toEqual([{ n: 2 }, { n: 2 }]);
});

test('when the database requests a repetition again and again, then the transaction ends as retry', async () => {
  const db = await opened(await freshMariadbUrl());
  let now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  let attempts = 0;
  const work = db.transaction(async (trx) => {
    if (++attempts === 3) now += usualLimits.repeatMs + 1;
    await sql`signal sqlstate '40001' set mysql_errno = 1213`.execute(trx);
  });
  expect(classify(await rejection(work))).toBe('retry');
  expect(attempts).toBe(3);
});

test('when a single statement is refused as the victim of a deadlock, then it is repeated', async () => {
  const db = await opened(await freshMariadbUrl());
  await sql`begin not atomic
    if @tried is null then set @tried = 1; signal sqlstate '40001' set mysql_errno = 1213; end if;
    insert into agent (name) values ('a');
  end`.execute(db.kysely);
  expect(await names(db)).toEqual(['a']);
});

test('when the connection breaks before COMMIT, then the transaction is repeated and counts once', async () => {
  const { db, proxy } = await proxied();
  proxy.cutAt('insert into `agent`', 'after');
  let attempts = 0;
  await db.transaction(async (trx) => {
    attempts++;
    await trx.insertInto('agent').values({ name: 'a' }).execute();
  });
  expect(attempts).toBeGreaterThanOrEqual(2);
  expect(await names(db)).toEqual(['a']);
});

test.each([
  ['before', []],
  ['after', ['a']],
] as const)(
  'when the connection breaks %s COMMIT arrives, then the outcome is unknown and never repeated',
  async (when, kept) => {
    const { db, proxy } = await proxied();
    proxy.cutAt('COMMIT', when);
    let attempts = 0;
    const work = db.transaction(async (trx) => {
      attempts++;
      await trx.insertInto('agent').values({ name: 'a' }).execute();
    });
    expect(classify(await rejection(work))).toBe('outcome_unknown');
    expect(attempts).toBe(1);
    expect(await names(db)).toEqual(kept);
  },
);

test('when the connection breaks during a single write, then the outcome is unknown', async () => {
  const { db, proxy } = await proxied();
  const insert = db.kysely.insertInto('agent').values({ name: 'a' });
  proxy.cutAt('insert into `agent`', 'after');
  expect(classify(await rejection(insert.execute()))).toBe('outcome_unknown');
});

test('when the connection breaks during a single read, then it is repeated', async () => {
  const { db, proxy } = await proxied();
  proxy.cutAt('select `name` from `agent`', 'before');
  expect(await names(db)).toEqual([]);
});

test('when every connection breaks, then the transaction ends as unavailable', async () => {
  const { db, proxy } = await proxied({ repeatMs: 1000 });
  const work = db.transaction(async (trx) => {
    proxy.cutAt('insert into `agent`', 'before');
    await trx.insertInto('agent').values({ name: 'a' }).execute();
  });
  expect(classify(await rejection(work))).toBe('unavailable');
  expect(await names(db)).toEqual([]);
});

async function proxied(limits?: Partial<DatabaseLimits>) {
  const url = await freshMariadbUrl();
  const proxy = await startProxy(url);
  return { proxy, db: await opened(proxy.url, limits) };
}

async function names({ kysely }: Db): Promise<string[]> {
  const rows = await kysely.selectFrom('agent').select('name').orderBy('name').execute();
  return rows.map(({ name }) => name);
}
