import { statSync } from 'node:fs';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { describeOnEngines } from '../../../test-support/engines.ts';
import { freshSqlite } from '../../../test-support/sqlite.ts';
import { deleteInBatches } from '../../src/db/delete-in-batches.ts';
import { nonceStore } from '../../src/db/nonce-store.ts';
import type { Db } from '../../src/db/open.ts';
import type { Database } from '../../src/db/schema.ts';
import { auditStore } from '../../src/features/audit/store.ts';
import { chatStore } from '../../src/features/chat/store.ts';
import { budgetStore, codeStore } from '../../src/features/codes/store.ts';
import { ticketStore } from '../../src/features/forum/ticket-store.ts';
import { historyStore } from '../../src/features/history/store.ts';
import { revocationStore } from '../../src/features/logout/store.ts';
import { sessionStore } from '../../src/features/operators/session-store.ts';
import { entryTicketStore } from '../../src/features/tickets/store.ts';
import { challengeStore } from '../../src/features/two-factor/challenge-store.ts';
import { migrated, migratedAt } from './opened.ts';

interface Case {
  readonly table: keyof Database;
  /** Returns the n-th row; `at` is its time, ascending and long past except for the last row. */
  readonly row: (n: number, at: number) => object;
  readonly deleteOldest: (db: Db, limit: number) => Promise<number>;
}

const DAY_MS = 24 * 3600 * 1000;
const day = (at: number) => new Date(at).toISOString().slice(0, 10);
const cases: readonly Case[] = [
  {
    table: 'used_once',
    row: (n, expires_at) => ({ kind: 'signature', key: `k${n}`, expires_at }),
    deleteOldest: (db, limit) => nonceStore(db).deleteExpired(limit),
  },
  {
    table: 'verify',
    row: (n, expires_at) => ({ email: `${n}@example.com`, code_hash: 'h', expires_at }),
    deleteOldest: (db, limit) => codeStore(db).deleteExpired(1000, limit),
  },
  {
    table: 'wrong_code',
    row: (n, at) => ({ email: `${n}@example.com`, day: day(at), n: 1 }),
    deleteOldest: (db, limit) => budgetStore(db).deleteBefore('2020-01-01', limit),
  },
  {
    table: 'entry_ticket',
    row: (n, expires_at) => ({ ticket_hash: `t${n}`, player_id: n, server_id: 1, expires_at }),
    deleteOldest: (db, limit) => entryTicketStore(db).deleteExpired(limit),
  },
  {
    table: 'forum_ticket',
    row: (n, expires_at) => ({ ticket_hash: `t${n}`, connect_id: 'c', expires_at }),
    deleteOldest: (db, limit) => ticketStore(db).deleteExpired(limit),
  },
  {
    table: 'login_challenge',
    row: (n, expires_at) => ({ challenge_hash: `c${n}`, player_id: n, kind: 'login', expires_at }),
    deleteOldest: (db, limit) => challengeStore(db).deleteExpired(limit),
  },
  {
    table: 'revoked_token',
    row: (n, expires_at) => ({ token_id: `t${n}`, expires_at }),
    deleteOldest: (db, limit) => revocationStore(db).deleteExpired(limit),
  },
  {
    table: 'operator_session',
    row: (n, created_at) => ({ token_hash: `t${n}`, operator_id: n, ip: '', created_at }),
    deleteOldest: (db, limit) => sessionStore(db).deleteOlderThan(1000, limit),
  },
  {
    table: 'player_login',
    row: (n, at) => ({ player_id: n, kind: 'login', at }),
    deleteOldest: (db, limit) => historyStore(db).deleteOlderThan(1000, limit),
  },
  {
    table: 'chat',
    row: (n, received_at) => ({ server_id: n, content: 'c', received_at }),
    deleteOldest: (db, limit) => chatStore(db).deleteOlderThan(1000, limit),
  },
  {
    table: 'audit',
    row: (n, at) => ({ id: `a${n}`, actor: 'a', via: 'cli', action: 'export', at }),
    deleteOldest: (db, limit) => auditStore(db).deleteOlderThan(1000, limit),
  },
];

describeOnEngines('old rows', (engine) => {
  test('when more rows are due than a batch may have, then the oldest go first, and rows that are not due stay', async () => {
    const db = await migrated(engine);
    for (const { table, row, deleteOldest } of cases) {
      const times = [1, 2, 3, 4].map((n) => n * DAY_MS);
      const rows = [...times, Date.now() + DAY_MS].map((at, index) => row(index + 1, at));
      await db.kysely
        .insertInto(table)
        .values(rows.toReversed() as never)
        .execute();
      const counts = [];
      for (const limit of [3, 3, 3]) counts.push(await deleteOldest(db, limit));
      expect([table, ...counts]).toEqual([table, 3, 1, 0]);
      expect(await db.kysely.selectFrom(table).selectAll().execute()).toMatchObject([rows.at(-1)]);
    }
  });
});

test('when SQLite deletes many batches, then each is copied into the file immediately, so that no long pause builds up', async () => {
  const url = freshSqlite();
  const db = await migratedAt(url);
  const { kysely } = db;
  await sql`insert into player_login (player_id, kind, at, ip)
    with recursive s(n) as (select 1 union all select n + 1 from s where n < 4000)
    select n * 7919 % 4000, 'login', n, '10.0.0.' || (n * 31 % 250) from s`.execute(kysely);
  await sql`PRAGMA wal_checkpoint(TRUNCATE)`.execute(kysely);
  for (let batch = 0; batch < 60; batch++) await historyStore(db).deleteOlderThan(1000, 20);
  expect(statSync(`${url.slice('sqlite:'.length)}-wal`).size).toBeLessThan(1_000_000);
});

/** Creates a table with this many due rows. */
function table(name: string, due: number) {
  const batches: number[] = [];
  const deleteOldest = async (limit: number) => {
    const deleted = Math.min(limit, due);
    due -= deleted;
    batches.push(deleted);
    return deleted;
  };
  return { name, batches, deleteOldest };
}

test('when tables have many old rows, then all are deleted in bounded batches, alternating, and other work runs in between', async () => {
  const [large, small] = [table('large', 40_000), table('small', 300)];
  const failing = { name: 'failing', deleteOldest: () => Promise.reject(new Error('away')) };
  const failures: string[] = [];
  let turns = 0;
  const other = setInterval(() => turns++, 1);
  let smallDoneAfter = 0;
  const deleted = await deleteInBatches([failing, large, small], {
    mayGoOn: async () => {
      if (small.batches.length < 2) smallDoneAfter = large.batches.length;
      return true;
    },
    failed: ({ name }) => failures.push(name),
  });
  clearInterval(other);
  expect(deleted).toBe(40_300);
  expect(Math.max(...large.batches)).toBeLessThanOrEqual(1000);
  expect(smallDoneAfter).toBeLessThanOrEqual(2);
  expect(turns).toBeGreaterThan(0);
  expect(failures).toEqual(['failing']);
});

test('when the lease is lost, then no further batch is deleted', async () => {
  const large = table('large', 40_000);
  await deleteInBatches([large], { mayGoOn: async () => large.batches.length < 3 });
  expect(large.batches).toHaveLength(3);
});
