import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { describeOnEngines } from '../../../test-support/engines.ts';
import { createDatabase } from '../../../test-support/mariadb.ts';
import { sharedMariadbUrl } from '../../../test-support/shared-servers.ts';
import { classify, DatabaseUnavailable, type DbFailure, duplicateKey } from '../../src/db/errors.ts';
import type { Db } from '../../src/db/open.ts';
import { migrated, opened, rejection } from './opened.ts';

const withdrawal = { id: 'w', player_id: 1, server_id: 1, amount: 1, request_key: 'k', open_key: 'o' };

describeOnEngines('a duplicate', (engine) => {
  const duplicates: [string, (db: Db) => Promise<unknown>][] = [
    [
      'player_account_key',
      ({ kysely }) => kysely.insertInto('player').values({ account: ' ANN ' }).execute(),
    ],
    [
      'player_email_key',
      ({ kysely }) => kysely.insertInto('player').values({ account: 'b', email_key: 'e' }).execute(),
    ],
    ['PRIMARY', ({ kysely }) => kysely.insertInto('player').values({ id: 1, account: 'c' }).execute()],
    [
      'PRIMARY',
      ({ kysely }) =>
        kysely
          .insertInto('withdraw')
          .values({ ...withdrawal, request_key: 'x', open_key: 'x' })
          .execute(),
    ],
    [
      'withdraw_player_id_request_key',
      ({ kysely }) =>
        kysely
          .insertInto('withdraw')
          .values({ ...withdrawal, id: 'x', open_key: 'x' })
          .execute(),
    ],
    [
      'withdraw_open_key',
      ({ kysely }) =>
        kysely
          .insertInto('withdraw')
          .values({ ...withdrawal, id: 'x', request_key: null })
          .execute(),
    ],
    [
      'withdraw_open_key',
      ({ kysely }) => kysely.updateTable('withdraw').set({ open_key: 'o' }).where('id', '=', 'v').execute(),
    ],
  ];

  test.each(duplicates)('when it is one of %s, then that name is returned', async (name, offend) => {
    const db = await migrated(engine);
    await db.kysely.insertInto('player').values({ account: 'Ann', email_key: 'e' }).execute();
    await db.kysely.insertInto('withdraw').values(withdrawal).execute();
    await db.kysely
      .insertInto('withdraw')
      .values({ ...withdrawal, id: 'v', request_key: 'v', open_key: null })
      .execute();
    const error = await rejection(offend(db));
    expect(classify(error)).toBe('duplicate');
    expect(duplicateKey(error)).toBe(name);
  });

  test('when a value looks like the end of the message, then the name is still right', async () => {
    const db = await migrated(engine);
    const account = `x' for key 'player_email_key'`;
    const insert = () => db.kysely.insertInto('player').values({ account }).execute();
    await insert();
    expect(duplicateKey(await rejection(insert()))).toBe('player_account_key');
  });

  test('when it is another error, then it has no key and is not classified as a duplicate', async () => {
    const db = await migrated(engine);
    for (const mistake of [
      sql`select * from nowhere`,
      sql`selec`,
      sql`insert into agent (name) values (null)`,
    ]) {
      const error = await rejection(mistake.execute(db.kysely));
      expect(classify(error)).toBe('other');
      expect(duplicateKey(error)).toBeUndefined();
    }
  });
});

describe('errors of the server', () => {
  test.each<[number, DbFailure]>([
    [1062, 'duplicate'],
    [1205, 'retry'],
    [1213, 'retry'],
    [1020, 'retry'],
    [1047, 'outcome_unknown'],
    [1180, 'outcome_unknown'],
    [1290, 'unavailable'],
    [1114, 'unavailable'],
    [1146, 'other'],
  ])('when it answers %i, then that is %s', async (errno, failure) => {
    const db = await opened(await createDatabase(sharedMariadbUrl()));
    const signal = sql.raw(`signal sqlstate '45000' set mysql_errno = ${errno}`);
    // Inside a transaction, a statement is not retried.
    const outcome = db.transaction(async (trx) => {
      expect(classify(await rejection(signal.execute(trx)))).toBe(failure);
      throw new Error('seen');
    });
    await expect(outcome).rejects.toThrow('seen');
    await db.ping();
  });
});

describe('errors from elsewhere', () => {
  test.each([undefined, null, 'text', new Error('x'), Object.assign(new Error('x'), { errno: 1062 })])(
    'when it is %s, then it is other',
    (error) => {
      expect(classify(error)).toBe('other');
      expect(duplicateKey(error)).toBeUndefined();
    },
  );

  test('when the database cannot be reached, then it is unavailable', () => {
    expect(classify(new DatabaseUnavailable('down'))).toBe('unavailable');
  });
});
