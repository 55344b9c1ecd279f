import { expect, test } from 'vitest';
import { describeOnEngines, freshMariadbUrl } from '../../test-support/engines.ts';
import type { Db } from '../src/db/open.ts';
import { openImportAdmin } from '../src/features/import/admin/module.ts';
import { planColumns } from '../src/features/import/columns.ts';
import { emptyTally } from '../src/features/import/summary.ts';
import { parseSettings } from '../src/settings/load.ts';
import { migrated, opened } from './db/opened.ts';
import { startProxy } from './db/proxy.ts';
import { auditRows } from './support/audit.ts';

const settings = parseSettings({ auth: { password_key: 'k', jwt_secret: 'x'.repeat(32) } });
const columns = ['account', 'password_hash'];

/** Imports these accounts, one per batch. */
async function run(db: Db, accounts: readonly string[], apply = true) {
  const tally = emptyTally();
  await openImportAdmin({ db, settings }).run(
    { name: 'olga', via: 'cli' },
    {
      origin: { database: 'mysql://old.example/game', table: 'users' },
      source: {
        columns,
        place: 'line',
        resumable: false,
        async *rows() {
          yield accounts.map((account, at) => ({ at: String(at), fields: [account, 'a'.repeat(32)] }));
        },
        fraction: () => 1,
        close() {},
      },
      plan: planColumns(new Map(), columns),
      statuses: new Map(),
      timeZone: 'UTC',
      report: { write: async () => {} },
      conflicts: { write: async () => {} },
      decisionsOf: () => undefined,
      checkpoint: undefined,
      after: undefined,
      apply,
      batch: 1,
      stopping: () => false,
      tally,
    },
  );
  return tally;
}

const accountsOf = ({ kysely }: Db) => kysely.selectFrom('player').select('account').execute();

describeOnEngines('the audit record of an import', (engine) => {
  test('when a run adds accounts, then it has one row; a dry run, or one that adds none, has none', async () => {
    const db = await migrated(engine);
    await run(db, ['alice', 'bob'], false);
    expect(await auditRows(db)).toEqual([]);

    // The first batch of the second run adds nothing, so its row comes with the next.
    await run(db, ['alice', 'bob', 'carol']);
    expect(await auditRows(db)).toHaveLength(1);
    expect(await run(db, ['alice', 'dave', 'erin', 'frank'])).toMatchObject({ imported: 3, unchanged: 1 });
    expect(await auditRows(db)).toHaveLength(2);

    await run(db, ['alice', 'bob']);
    const rows = await auditRows(db);
    expect(rows).toHaveLength(2);
    expect(new Set(rows.map(({ subject_id }) => subject_id)).size).toBe(2);
    for (const row of rows)
      expect(row).toMatchObject({
        action: 'import.run',
        after: JSON.stringify({ database: 'mysql://old.example/game', table: 'users' }),
      });
  });
});

test.each(['before', 'after'] as const)(
  'when the connection breaks %s the first commit arrives, then the run still has one row',
  async (when) => {
    const url = await freshMariadbUrl();
    const proxy = await startProxy(url);
    const db = await opened(proxy.url);
    // Two batches are sent concurrently; opening a connection then would send READ COMMITTED, which contains COMMIT.
    await Promise.all([accountsOf(db), accountsOf(db), accountsOf(db)]);
    proxy.cutAt('COMMIT', when);
    expect(await run(db, ['alice', 'bob', 'carol'])).toMatchObject({ imported: 3, unchanged: 0 });
    expect(await accountsOf(db)).toHaveLength(3);
    expect(await auditRows(db)).toHaveLength(1);
  },
);
