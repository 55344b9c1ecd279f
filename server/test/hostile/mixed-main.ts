import { join } from 'node:path';
import { seededRandom } from '@gatehouse/simulators/random';
import type { Mariadb } from '../../../test-support/mariadb.ts';
import { tempDir } from '../../../test-support/process.ts';
import { showPercent } from './progress.ts';
import { runHostile } from './run.ts';
import { startHostileService } from './service.ts';

const SHOWN_LOGS = 10;

/**
 * Sends half of the requests to one process with SQLite and half to two workers with MariaDB. Returns true if no answer was
 * wrong.
 */
export async function runMixed(mariadb: Mariadb, requests: number, seed: number): Promise<boolean> {
  const half = Math.ceil(requests / 2);
  const setups = [
    { name: 'SQLite, one process', url: `sqlite:${join(tempDir('hostile'), 'gatehouse.db')}`, workers: 1 },
    { name: 'MariaDB, two workers', url: await mariadb.createDatabase(), workers: 2 },
  ];
  let clean = true;
  for (const { name, ...setup } of setups) {
    const service = await startHostileService(setup);
    const started = performance.now();
    const { answered, attacks, faults } = await runHostile({
      ...service,
      random: seededRandom(seed),
      requests: half,
      connections: 100,
      attackers: 30,
      onProgress: showPercent(name, half),
    });
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    const logs = service.logs();
    await service.stop();
    clean &&= faults.length === 0 && logs.length === 0;
    console.log(
      `${name}: ${answered} requests among ${attacks} attacks in ${seconds} s: ${faults.length} answers that were not their request’s own, ${logs.length} warnings and errors in the log`,
    );
    for (const fault of faults) console.log(`  ${fault}`);
    for (const line of logs.slice(0, SHOWN_LOGS)) console.log(`  ${JSON.stringify(line)}`);
  }
  return clean;
}
