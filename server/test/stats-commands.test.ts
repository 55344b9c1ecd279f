import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'smol-toml';
import { expect, test } from 'vitest';
import { tempDir } from '../../test-support/process.ts';
import { runCommand } from '../../test-support/run-command.ts';
import { freshSqlite } from '../../test-support/sqlite.ts';
import { zoneAtNoon } from '../../test-support/time-zone.ts';
import { legacyStore } from '../src/features/legacy-tokens/store.ts';
import { localTime } from '../src/runtime/time.ts';
import { migratedAt } from './db/opened.ts';

test('when the figures are read on the command line, then they equal the API’s', async () => {
  const time_zone = zoneAtNoon();
  const today = localTime(time_zone).today();
  const url = freshSqlite();
  const config = join(tempDir('stats'), 'gatehouse.toml');
  const auth = { password_key: 'k', jwt_secret: 'j'.repeat(40) };
  writeFileSync(config, stringify({ time_zone, database: { url }, auth }));
  const db = await migratedAt(url);
  await db.kysely.insertInto('agent').values({ name: 'Zhang' }).execute();
  await db.kysely
    .insertInto('player')
    .values({ account: 'ann', agent_id: 1, server_id: 3, last_server_id: 3, ip: '203.0.113.7' })
    .execute();
  await legacyStore(db).markSeen([1], today);
  const run = async (line: string) => {
    const { code, stdout, stderr } = await runCommand(line.split(' '), { config });
    expect({ line, code, stderr }).toEqual({ line, code: 0, stderr: '' });
    return stdout;
  };
  const json = async (line: string) => JSON.parse(await run(`${line} --json`));

  const [stats, table, registrations, legacy, agents, bad] = await Promise.all([
    json('stats --days 2 --zone 3'),
    run('stats --days 2'),
    json(`registrations --day ${today.day}`),
    json('legacy'),
    json('agent list --from 1d'),
    runCommand(['registrations', '--day', '2026-02-31'], { config }),
  ]);
  expect(stats.days).toHaveLength(2);
  expect(stats.days[1]).toMatchObject({ day: today.day, registrations: 1, legacy_checks: 1 });
  expect(table).toMatch(new RegExp(`^${today.day} +1 `, 'm'));
  expect(registrations).toMatchObject({
    count: 1,
    by_promoter: [{ agent_id: 1, name: 'Zhang', count: 1 }],
    by_block: [{ block: '203.0.113.0/24', count: 1 }],
  });
  expect(legacy).toMatchObject({ days: [{ day: today.day, accounts: 1 }], last: [{ account: 'ann' }] });
  expect(agents).toEqual([
    {
      agent_id: 1,
      name: 'Zhang',
      status: 'active',
      registrations: 1,
      entered: 1,
      returned: 0,
      addresses: 1,
      withdrawn: 0,
    },
  ]);
  expect(bad).toMatchObject({ code: 1, stdout: '' });
});
