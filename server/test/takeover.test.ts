import { expect, test } from 'vitest';
import { describeOnEngines } from '../../test-support/engines.ts';
import { runCommand } from '../../test-support/run-command.ts';
import { importFixture, manyAccounts, OLD_KEY, oldHash } from './support/import-fixture.ts';
import { makeOperator } from './support/operator.ts';
import { startTestApp } from './support/test-app.ts';

interface Status {
  readonly accounts_here: number;
  readonly sources: readonly { readonly at: string }[];
  readonly days: readonly {
    readonly day: string;
    readonly retired_hits: number;
    readonly legacy_accounts: number;
  }[];
  readonly open: readonly { readonly against: string; readonly code: string; readonly count: number }[];
}

// The switch itself, under load: takeover/rehearsal.slow.test.ts.
describeOnEngines('the state of a takeover', (engine) => {
  test('when accounts are imported and old clients call, then console and command line show what is left to do', async () => {
    const url = await engine.freshUrl();
    const fixture = importFixture(url);
    const app = await startTestApp(url, {
      auth: { password_key: OLD_KEY },
      console: { require_totp: false },
    });
    const boss = await makeOperator(app);
    const status = async () => (await boss.get('takeover')).body as Status;
    const codes = ({ open }: Status) => open.map(({ against, code, count }) => `${against} ${code} ${count}`);
    expect(codes(await status())).toEqual([
      'cut_over not_imported 1',
      'cut_over no_zones 1',
      'close not_imported 1',
      'close too_early 7',
    ]);

    await app.db.kysely
      .insertInto('server')
      .values({ server_id: 1, name: 'one', address: '127.0.0.1', port: 1 })
      .execute();
    const csv = fixture.write('old.csv', `${manyAccounts(3)}bad,hash\n`);
    await fixture.summary('--csv', csv, '--apply');
    await app.db.kysely
      .updateTable('player')
      .set({ password_hash: oldHash('mine') })
      .where('account', 'in', ['player1', 'player2'])
      .execute();
    const changed = manyAccounts(3).replace(oldHash('pw2'), oldHash('theirs'));
    fixture.write('old.csv', `${changed}bad,hash\n`);
    await fixture.summary('--csv', csv, '--apply');
    // An import that finds no change renews the time of an old comparison.
    const earlier = Date.now() - 7_200_000;
    await app.db.kysely.updateTable('import_source').set({ at: earlier, changed_at: earlier }).execute();
    expect(codes(await status())).toContain('cut_over import_old 1');
    await fixture.summary('--csv', csv, '--apply');
    await app.post('/api/check', { account: 'player3', token: oldHash('pw3') });
    for (const path of ['/api', '/login.php', '/other.php', '/other.php']) await app.get(path);
    await app.features.legacyTokens.flush();
    await app.features.takeover.flush();

    const found = await status();
    expect(found).toMatchObject({
      accounts_here: 3,
      sources: [{ source: csv, accounts: 4, kept: 2, conflicts: 1, refused: 1, complete: true, watch: 0 }],
    });
    expect(found.sources[0]).toMatchObject({ changed_at: new Date(earlier).toISOString() });
    expect(found.days).toHaveLength(14);
    expect(found.days[0]).toMatchObject({
      legacy_accounts: 1,
      retired_hits: 4,
      retired: { api: 1, callback: 0, server_list: 0, login: 1, php: 2 },
    });
    expect(codes(found)).toEqual([
      'cut_over conflicts 1',
      'cut_over refused 1',
      'close too_early 7',
      'close legacy_clients 1',
      'close retired_hits 4',
    ]);
    const run = (...args: string[]) =>
      runCommand(['takeover', 'status', ...args], { config: fixture.config });
    expect(JSON.parse((await run('--json')).stdout)).toEqual(found);

    // With a source, it is read now and nothing is written.
    fixture.write('old.csv', manyAccounts(5));
    expect(JSON.parse((await run('--json', '--csv', csv)).stdout)).toMatchObject({
      sources: [{ accounts: 5, kept: 4, conflicts: 0, refused: 0 }],
    });
    expect((await status()).sources).toEqual(found.sources);
    const { stdout } = await run();
    expect(stdout).toContain('\nbefore you cut over:\n  1 rows changed on both sides: ');

    for (const [ago, left] of [
      [3, ['close too_early 4']],
      [7, []],
    ] as const) {
      const { day } = found.days[ago] ?? expect.fail();
      await app.db.kysely.insertInto('day_stat').values({ name: 'logins', day, n: 1 }).execute();
      expect(codes(await status()).filter((each) => each.includes('too_early'))).toEqual(left);
    }
  });
});
