import { expect, test } from 'vitest';
import { describeOnEngines } from '../../../test-support/engines.ts';
import { lookup, lookupAll } from '../../src/db/lookup.ts';
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
  test('when many look up concurrently, then each caller gets its own row or none, and few statements are sent', async () => {
    const db = await migrated(engine);
    const accounts = Array.from({ length: 70 }, (_, index) => `Player${index}`);
    await db.kysely
      .insertInto('player')
      .values(accounts.map((account) => ({ account })))
      .execute();
    let statements = 0;
    const find = byAccountKey({
      ...db,
      read(query) {
        statements++;
        return db.read(query);
      },
    });

    const keys = [...accounts.map((account) => account.toLowerCase()), 'nobody', 'player3', 'player3'];
    const rows = await Promise.all(keys.map(find));
    expect(rows.map((row) => row?.account)).toEqual([...accounts, undefined, 'Player3', 'Player3']);
    expect(statements).toBe(Math.ceil(keys.length / 32));
    expect((await find('player7'))?.account).toBe('Player7');
  });

  test('when a key has several rows, then its caller gets all of them in order, and no others', async () => {
    const db = await migrated(engine);
    const roles = ['a', 'b', 'a', 'c', 'a', 'b'];
    for (const [index, role] of roles.entries())
      await db.kysely
        .insertInto('chat')
        .values({ server_id: 1, role, content: `line ${index}` })
        .execute();
    const linesOf = lookupAll(
      db,
      (keys: string[]) =>
        db.kysely.selectFrom('chat').select(['role', 'content']).where('role', 'in', keys).orderBy('id'),
      (row) => row.role,
    );
    const found = await Promise.all(['a', 'b', 'nobody', 'a'].map(linesOf));
    expect(found.map((rows) => rows.map(({ content }) => content))).toEqual([
      ['line 0', 'line 2', 'line 4'],
      ['line 1', 'line 5'],
      [],
      ['line 0', 'line 2', 'line 4'],
    ]);
  });

  test('when the statement fails, then all callers that shared it get the error and the next one is sent again', async () => {
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
