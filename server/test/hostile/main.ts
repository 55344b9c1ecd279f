import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startMariadb } from '../../../test-support/mariadb.ts';
import { tempDir } from '../../../test-support/process.ts';
import { randomFrom } from '../fuzz/values.ts';
import { runHostile } from './run.ts';
import { startHostileService } from './service.ts';

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '820000' }, seed: { type: 'string', default: '1' } },
});
const half = Math.ceil(Number(values.requests) / 2);
const mariadb = await startMariadb();
const setups = [
  { name: 'SQLite, one process', url: `sqlite:${join(tempDir('hostile'), 'gatehouse.db')}`, workers: 1 },
  { name: 'MariaDB, two workers', url: await mariadb.createDatabase(), workers: 2 },
];

let clean = true;
for (const { name, ...setup } of setups) {
  const service = await startHostileService(setup);
  const started = performance.now();
  let shown = 0;
  const result = await runHostile({
    ...service,
    random: randomFrom(Number(values.seed)),
    requests: half,
    connections: 200,
    attackers: 100,
    onProgress(answered) {
      const percent = Math.floor((20 * answered) / half) * 5;
      if (percent === shown) return;
      shown = percent;
      process.stderr.write(`${name}: ${percent} %\n`);
    },
  });
  const seconds = (performance.now() - started) / 1000;
  const errors = service.logs().length;
  await service.stop();
  clean &&= result.faults.length === 0 && errors === 0;
  console.log(
    `${name}: ${result.answered} requests and ${result.attacks} attacks in ${seconds.toFixed(0)} s: ${result.faults.length} answers that were not their request’s own, ${errors} errors in the log`,
  );
  for (const fault of result.faults) console.log(`  ${fault}`);
}
await mariadb.stop();
process.exit(clean ? 0 : 1);
