import { expect, test } from 'vitest';
import { describeOnEngines, freshMariadbUrl } from '../../test-support/engines.ts';
import { classify } from '../src/db/errors.ts';
import type { Db } from '../src/db/open.ts';
import { accountStore } from '../src/features/account/store.ts';
import { migrated, opened } from './db/opened.ts';
import { startProxy } from './db/proxy.ts';

const ids = Array.from({ length: 200 }, (_, index) => index + 1);

async function withPlayers(db: Db): Promise<Db> {
  await db.kysely
    .insertInto('player')
    .values(ids.map((id) => ({ account: `player${id}` })))
    .execute();
  return db;
}

const players = (db: Db) => db.kysely.selectFrom('player').selectAll().orderBy('id').execute();

const entriesOf = (playerIds: readonly number[]) =>
  playerIds.map((playerId, index) => ({ playerId, serverId: index + 1, address: `10.0.0.${index + 1}` }));

describeOnEngines('entries into the game', (engine) => {
  test('when many players enter at once, some of them twice, then every entry is counted and the last one is stored', async () => {
    const db = await withPlayers(await migrated(engine));
    const { recordEntry } = accountStore(db);
    const entries = entriesOf([...ids, 3, 3, 7]);

    await Promise.all(entries.map((entry) => recordEntry(entry)));

    for (const { id, login_count, last_server_id, last_login_ip, last_login_at } of await players(db)) {
      const own = entries.filter(({ playerId }) => playerId === id);
      expect({ id, login_count, last_server_id, last_login_ip }).toEqual({
        id,
        login_count: own.length,
        last_server_id: own.at(-1)?.serverId,
        last_login_ip: own.at(-1)?.address,
      });
      expect(last_login_at).toBeGreaterThan(0);
    }
  });

  test('when several instances record the same players in different orders, then no entry is lost or counted twice', async () => {
    const url = await engine.freshUrl();
    await withPlayers(await opened(url));
    const instances = await Promise.all([1, 2, 3].map(() => opened(url)));

    await Promise.all(
      instances.flatMap((db, turn) => {
        const { recordEntry } = accountStore(db);
        const order = turn % 2 === 0 ? ids : ids.toReversed();
        return entriesOf([...order, ...order]).map((entry) => recordEntry(entry));
      }),
    );

    const counts = (await players(instances[0] as Db)).map(({ login_count }) => login_count);
    expect(counts).toEqual(ids.map(() => 2 * instances.length));
  });
});

test.each([
  ['before', 0],
  ['after', 1],
] as const)(
  'when the connection breaks %s entries are written, then all callers that share them get the error, and none is repeated',
  async (when, written) => {
    const url = await freshMariadbUrl();
    const direct = await withPlayers(await opened(url));
    const proxy = await startProxy(url);
    const { recordEntry } = accountStore(await opened(proxy.url));
    // Their zones are known and the statement is prepared, so that the next group is one statement of which only values are sent.
    const enter = (address: string) =>
      Promise.allSettled(
        ids.slice(10, 14).map((playerId) => recordEntry({ playerId, serverId: 1, address })),
      );
    await enter('10.0.0.1');
    await enter('10.0.0.1');

    proxy.cutAt('203.0.113.77', when);
    const outcomes = await enter('203.0.113.77');
    for (const outcome of outcomes)
      expect(outcome.status === 'rejected' && classify(outcome.reason)).toBe('outcome_unknown');
    const counts = (await players(direct)).map(({ login_count }) => login_count);
    expect(counts.slice(10, 14)).toEqual(Array(4).fill(2 + written));
    await recordEntry({ playerId: 11, serverId: 2, address: '10.0.0.1' });
    expect((await players(direct))[10]?.login_count).toBe(3 + written);
  },
);
