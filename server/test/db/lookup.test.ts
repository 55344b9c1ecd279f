import { expect, test } from 'vitest';
import { describeOnEngines } from '../../../test-bench/engines.ts';
import { lookup } from '../../src/db/lookup.ts';
import type { Db } from '../../src/db/open.ts';
import { migrated, rejection } from './opened.ts';

function byAccountKey(db: Db) {
  return lookup(
    db,
    (keys: string[]) =>
      db.kysely.selectFrom('player').select(['account', 'account_key']).where('account_key', 'in', keys),
    (row) => row.account_key,
  );
}

describeOnEngines('lookups by a unique key', (engine) => {
  test('when many are asked for at once, then each caller gets its own row or none, and few questions are sent', async () => {
    const db = await migrated(engine);
    const accounts = Array.from({ length: 70 }, (_, index) => `Player${index}`);
    await db.kysely
      .insertInto('player')
      .values(accounts.map((account) => ({ account })))
      .execute();
    let questions = 0;
    const find = byAccountKey({
      ...db,
      read(query) {
        questions++;
        return db.read(query);
      },
    });

    const keys = [...accounts.map((account) => account.toLowerCase()), 'nobody', 'player3', 'player3'];
    const rows = await Promise.all(keys.map(find));
    expect(rows.map((row) => row?.account)).toEqual([...accounts, undefined, 'Player3', 'Player3']);
    expect(questions).toBe(Math.ceil(keys.length / 32));
    expect((await find('player7'))?.account).toBe('Player7');
  });

  test('when the question fails, then all who shared it hear of it and the next is asked anew', async () => {
    const db = await migrated(engine);
    await db.kysely.insertInto('player').values({ account: 'Ann' }).execute();
    let broken = true;
    const find = byAccountKey({
      ...db,
      read: (query) => (broken ? Promise.reject(new Error('away')) : db.read(query)),
    });
    const failures = await Promise.all(['ann', 'bob'].map((key) => rejection(find(key))));
    expect(failures).toEqual([new Error('away'), new Error('away')]);
    broken = false;
    expect((await find('ann'))?.account).toBe('Ann');
  });
});
