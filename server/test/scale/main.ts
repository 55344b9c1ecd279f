import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Gatehouse, runCli, startGatehouse } from '../../../test-support/gatehouse.ts';
import { startMariadb } from '../../../test-support/mariadb.ts';
import { tempDir } from '../../../test-support/process.ts';
import { openDatabase } from '../../src/db/open.ts';
import { type EngineName, fill } from './fill.ts';
import { requests } from './requests.ts';

/**
 * Times the operators' lists and figures on a small and on a large platform; they must not grow with it.
 * node server/test/scale/main.ts --engine sqlite|mysql [--rows 1000000] [--small 10000] [--repeats 7] [--only text]
 */
const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'sqlite' },
    rows: { type: 'string', default: '1000000' },
    small: { type: 'string', default: '10000' },
    repeats: { type: 'string', default: '7' },
    only: { type: 'string', default: '' },
  },
});
const engine: EngineName = values.engine === 'mysql' ? 'mysql' : 'sqlite';
const repeats = Number(values.repeats);
const wanted = requests.filter(({ name }) => name.includes(values.only));

/** Slower than this, and so many times slower than on the small platform, is worth a look. */
const SLOW_MS = 100;
const SLOW_RATIO = 3;

const mariadb =
  engine === 'mysql'
    ? await startMariadb({ args: ['--innodb-buffer-pool-size=2G', '--innodb-flush-log-at-trx-commit=2'] })
    : undefined;

/** The figures are summed in the background; how long it takes is told, not timed. */
async function waitForSums(url: string): Promise<void> {
  const db = await openDatabase(url);
  try {
    const newest = async (table: 'player' | 'player_login') =>
      (
        await db.kysely
          .selectFrom(table)
          .select(({ fn }) => fn.max<number>('id').as('id'))
          .executeTakeFirst()
      )?.id;
    for (;;) {
      const cursors = await db.kysely.selectFrom('stat_cursor').selectAll().execute();
      const at = new Map(cursors.map(({ source, position }) => [source, position]));
      const isSummed = async (table: 'player' | 'player_login') => at.get(table) === (await newest(table));
      if ((await isSummed('player')) && (await isSummed('player_login')) && at.size === 4) return;
      await sleep(1000);
    }
  } finally {
    await db.close();
  }
}

async function timesOf(service: Gatehouse): Promise<Map<string, number>> {
  const { stdout, stderr } = await runCli(['operator', 'key', 'add', 'scale', '--role', 'admin'], {
    config: service.settingsFile,
  });
  if (stderr !== '') throw new Error(stderr);
  const headers = { authorization: `Bearer ${stdout.trim()}` };
  const times = new Map<string, number>();
  for (const { name, path } of wanted) {
    const taken: number[] = [];
    for (let turn = 0; turn <= repeats; turn++) {
      const started = performance.now();
      const answer = await fetch(`${service.url}/api/admin/${path}`, { headers });
      const body = await answer.text();
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${body}`);
      taken.push(performance.now() - started);
    }
    // The first one also compiles and reads what is cold.
    const warm = taken.slice(1).sort((a, b) => a - b);
    times.set(name, warm[Math.floor(warm.length / 2)] ?? 0);
  }
  return times;
}

async function measure(rows: number): Promise<Map<string, number>> {
  console.error(`${rows} players …`);
  const url = mariadb ? await mariadb.createDatabase() : `sqlite:${join(tempDir('scale'), 'gatehouse.db')}`;
  await fill(engine, url, rows);
  const service = await startGatehouse({ settings: { database: { url } } });
  const started = performance.now();
  await waitForSums(url);
  console.error(`  summed within ${((performance.now() - started) / 1000).toFixed(0)} s`);
  try {
    return await timesOf(service);
  } finally {
    await service.stop();
  }
}

const small = await measure(Number(values.small));
const large = await measure(Number(values.rows));
await mariadb?.stop();
console.log(
  `${engine}: milliseconds with ${values.small} and with ${values.rows} players, median of ${repeats}`,
);
for (const [name, before] of small) {
  const after = large.get(name) ?? 0;
  const isSlow = after > SLOW_MS && after > before * SLOW_RATIO;
  const cells = [before.toFixed(1), after.toFixed(1), (after / before).toFixed(1)].map((cell) =>
    cell.padStart(9),
  );
  console.log(`${name.padEnd(34)}${cells.join('')}${isSlow ? '  slow' : ''}`);
  if (isSlow) process.exitCode = 1;
}
