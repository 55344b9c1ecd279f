import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { describeOnEngines } from '../../../test-support/engines.ts';
import { createDatabase } from '../../../test-support/mariadb.ts';
import { sharedMariadbUrl } from '../../../test-support/shared-servers.ts';
import { freshSqlite } from '../../../test-support/sqlite.ts';
import { START_WITHIN_MS } from '../../src/cli/workers.ts';
import { DEFINITION_TIMEOUT_MS, serial, type Table, text } from '../../src/db/ddl.ts';
import { migrate, pendingMigrations } from '../../src/db/migrate.ts';
import { MIGRATION_TIMEOUT_MS } from '../../src/db/migration-lock.ts';
import { migrations } from '../../src/db/migrations/index.ts';
import type { Migration } from '../../src/db/migrations/migration.ts';
import { startChild } from './children/child.ts';
import { migratedAt, opened, rejection } from './opened.ts';

const names = migrations.map(({ name }) => name);

describeOnEngines('migrating', (engine) => {
  test('when the database is empty, then all are pending, applied in order, and never again', async () => {
    const db = await opened(await engine.emptyUrl());
    expect(await pendingMigrations(db)).toEqual(names);
    expect(await migrate(db)).toEqual({ applied: names });
    expect(await pendingMigrations(db)).toEqual([]);
    expect(await migrate(db)).toEqual({ applied: [] });
  });

  test('when six processes migrate concurrently, then each migration is applied exactly once', async () => {
    const url = await engine.emptyUrl();
    const children = Array.from({ length: 6 }, () => startChild('migrates.ts', url));
    const results = await Promise.all(children.map((child) => child.line()));
    const applied = results.flatMap((line) => JSON.parse(line ?? '').applied as string[]);
    expect(applied.sort()).toEqual(names);
    const db = await opened(url);
    const recorded = await db.kysely.selectFrom('migration').select('name').orderBy('name').execute();
    expect(recorded.map(({ name }) => name)).toEqual(names);
  }, 180_000);

  test('when a migration fails half way, then the error names it, it is not recorded, and a second run completes it', async () => {
    const db = await opened(await engine.emptyUrl());
    const table: Table = { name: 'extra', columns: { id: serial, label: text(10, '') }, unique: [['label']] };
    const first: Migration = { name: '0001-first', tables: [{ ...table, name: 'early' }] };
    const second = (statement: string): Migration => ({
      name: '0002-second',
      tables: [table],
      statements: () => [statement],
    });

    const failure = await rejection(migrate(db, [first, second('insert into nowhere values (1)')]));
    expect(String(failure)).toContain('migration 0002-second failed: ');
    const repaired = [first, second(`insert into extra (label) values ('x')`)];
    expect(await pendingMigrations(db, repaired)).toEqual(['0002-second']);
    expect(await migrate(db, repaired)).toEqual({ applied: ['0002-second'] });
    expect((await sql`select id, label from extra`.execute(db.kysely)).rows).toEqual([{ id: 1, label: 'x' }]);
  });

  test('when players entered zones before the table existed, then the migration fills it', async () => {
    const db = await opened(await engine.emptyUrl());
    const isLater = ({ name }: Migration) => name >= '0080-player-zones';
    await migrate(
      db,
      migrations.filter((each) => !isLater(each)),
    );
    for (const statement of [
      `insert into player (id, account, last_server_id) values (1, 'a', 3), (20001, 'b', null)`,
      `insert into player_login (player_id, kind, server_id) values (1, 'enter', 3), (1, 'enter', 4), (1, 'login', null)`,
      `insert into withdraw (id, player_id, server_id, amount) values ('w', 20001, 5, 1)`,
    ])
      await sql.raw(statement).execute(db.kysely);
    await migrate(db);
    const filled = await db.kysely.selectFrom('player_zone').selectAll().orderBy('server_id').execute();
    expect(filled.map(({ player_id, server_id }) => [player_id, server_id])).toEqual([
      [1, 3],
      [1, 4],
      [20001, 5],
    ]);
  });
});

test('when another instance migrates longer than one definition may take, then the wait continues, and ends before a worker is killed', async () => {
  const db = await migratedAt(await createDatabase(sharedMariadbUrl()));
  const holder = { owner: 'another', expires_at: Date.now() + 3_600_000 };
  await db.kysely.updateTable('migration_lock').set(holder).execute();
  const real = performance.now.bind(performance);
  let skippedMs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => real() + skippedMs);
  onTestFinished(() => clock.mockRestore());
  const update = vi.spyOn(db.kysely, 'updateTable');
  /** Resolves when the waiting instance has tried `count` times more to take the lock. */
  const tried = (count: number) => {
    const before = update.mock.calls.length;
    return expect.poll(() => update.mock.calls.length).toBeGreaterThanOrEqual(before + count);
  };

  const extra: Migration = { name: '9999-extra' };
  const first = migrate(db, [...migrations, extra]);
  await tried(1);
  skippedMs = 2 * DEFINITION_TIMEOUT_MS;
  await tried(2);
  await db.kysely.updateTable('migration_lock').set({ owner: null }).execute();
  expect(await first).toEqual({ applied: [extra.name] });

  await db.kysely.updateTable('migration_lock').set(holder).execute();
  const second = rejection(migrate(db, [...migrations, extra, { name: '9999-more' }]));
  await tried(1);
  skippedMs += MIGRATION_TIMEOUT_MS;
  expect(String(await second)).toContain('for too long');
  expect(START_WITHIN_MS).toBeGreaterThanOrEqual(MIGRATION_TIMEOUT_MS + DEFINITION_TIMEOUT_MS);
});

test('when another process migrates SQLite longer than a transaction waits, then the wait continues', async () => {
  const url = freshSqlite();
  const db = await migratedAt(url);
  const other = new DatabaseSync(url.slice('sqlite:'.length));
  onTestFinished(() => other.close());
  other.exec('BEGIN IMMEDIATE');
  const real = performance.now.bind(performance);
  let skippedMs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => real() + skippedMs);
  onTestFinished(() => clock.mockRestore());
  const transaction = vi.spyOn(db, 'transaction');

  const extra: Migration = { name: '9999-extra' };
  const waiting = migrate(db, [...migrations, extra]);
  for (const tries of [1, 2, 3]) {
    await expect.poll(() => transaction.mock.calls.length).toBeGreaterThanOrEqual(tries);
    skippedMs += 60_000;
  }
  other.exec('COMMIT');
  expect(await waiting).toEqual({ applied: [extra.name] });

  other.exec('BEGIN IMMEDIATE');
  const before = transaction.mock.calls.length;
  const second = rejection(migrate(db, [...migrations, extra, { name: '9999-more' }]));
  await expect.poll(() => transaction.mock.calls.length).toBeGreaterThan(before);
  skippedMs += MIGRATION_TIMEOUT_MS;
  expect(String(await second)).toContain('failed: database is locked');
});

test('when the migrating instance crashes, then its lease expires and another continues', async () => {
  const url = await createDatabase(sharedMariadbUrl());
  const db = await migratedAt(url);
  await sql`drop table chat`.execute(db.kysely);
  await db.kysely.deleteFrom('migration').where('name', '=', '0005-chat').execute();
  await db.kysely
    .updateTable('migration_lock')
    .set({ owner: 'crashed', expires_at: sql<number>`${db.now} + 700` })
    .execute();
  expect(await migrate(db)).toEqual({ applied: ['0005-chat'] });
  expect(await db.kysely.selectFrom('migration_lock').select('owner').execute()).toEqual([{ owner: null }]);
});

/** Reports whether the previous version still works: nothing it reads is removed, nothing it omits is required. */
function onlyAdds(statement: string): boolean {
  if (/^create (table|index) if not exists/i.test(statement)) return true;
  // A wider column holds all that the previous version writes.
  if (/^alter table \S+ modify \S+ mediumtext not null$/i.test(statement)) return true;
  return (
    /^alter table \S+ add (column|index|key) /i.test(statement) &&
    (!/not null/i.test(statement) || /default/i.test(statement))
  );
}

/** Drops indexes that are recreated immediately, which is idempotent too. */
function withoutIndexesMadeAnew(statements: readonly string[]): string[] {
  const dropped = (statement = '') => /^drop index if exists (\S+)$/i.exec(statement)?.[1];
  const created = (statement = '') => /^create index (\S+) on /i.exec(statement)?.[1];
  return statements.filter((statement, place) => {
    const isDropOf = dropped(statement) && dropped(statement) === created(statements[place + 1]);
    const isMadeAnew = created(statement) && created(statement) === dropped(statements[place - 1]);
    return !isDropOf && !isMadeAnew;
  });
}

test.each(migrations)('when $name is applied, then the previous version still works', ({ statements }) => {
  for (const flavour of ['sqlite', 'mariadb', 'mysql'] as const) {
    const changes = withoutIndexesMadeAnew(statements?.(flavour) ?? []);
    expect(changes.filter((statement) => !onlyAdds(statement))).toEqual([]);
  }
});

test('when a statement removes something or requires more, then the check reports it', () => {
  for (const statement of [
    'ALTER TABLE player DROP COLUMN email',
    'ALTER TABLE player RENAME COLUMN email TO mail',
    'ALTER TABLE player ADD COLUMN level INT NOT NULL',
    'CREATE UNIQUE INDEX IF NOT EXISTS player_level ON player (level)',
  ])
    expect(onlyAdds(statement)).toBe(false);
  const lone = ['DROP INDEX IF EXISTS "a"', 'CREATE INDEX "b" ON "chat" ("role")'];
  expect(withoutIndexesMadeAnew(lone).filter((statement) => !onlyAdds(statement))).toEqual(lone);
  expect(onlyAdds('ALTER TABLE player ADD COLUMN level INT NOT NULL DEFAULT 0')).toBe(true);
});
