import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startMariadb } from '../../../test-support/mariadb.ts';
import { tempDir } from '../../../test-support/process.ts';
import { table } from '../cluster/table.ts';
import { type RunResult, runMerge } from './run.ts';

const { values } = parseArgs({
  options: {
    players: { type: 'string', default: '12' },
    visits: { type: 'string', default: '20' },
    faulty: { type: 'string', default: '0.1' },
  },
});
const load = {
  processes: 3,
  playersPerZone: Number(values.players),
  visits: Number(values.visits),
};

const mariadb = await startMariadb();
const results: [name: string, result: RunResult][] = [];
for (const faulty of [0, Number(values.faulty)]) {
  const urls = {
    MariaDB: await mariadb.createDatabase(`merge_${results.length}`),
    SQLite: `sqlite:${join(tempDir('merge'), 'gatehouse.db')}`,
  };
  for (const [engine, databaseUrl] of Object.entries(urls)) {
    const name = faulty === 0 ? engine : `${engine}, GM failing`;
    console.error(`test:merge: ${name}, ${Math.round(performance.now() / 1000)} s so far`);
    results.push([name, await runMerge({ ...load, databaseUrl, faulty })]);
  }
}
await mariadb.kill();

const rowsOf = (part: 'facts' | 'violations') =>
  Object.keys(results[0]?.[1][part] ?? {}).map((what) => [
    what,
    ...results.map(([, result]) => String(result[part][what])),
  ]);
console.log(
  table([
    ['', ...results.map(([name]) => name)],
    ...rowsOf('facts'),
    ['— must be 0 —'],
    ...rowsOf('violations'),
  ]),
);
for (const [name, { untrue }] of results) for (const note of untrue) console.log(`${name}: ${note}`);
const holds = results.every(([, { violations }]) => Object.values(violations).every((count) => count === 0));
console.log(`\nMerge under load: ${holds ? 'every answer true, the money adds up' : 'BROKEN'}`);
process.exit(holds ? 0 : 1);
