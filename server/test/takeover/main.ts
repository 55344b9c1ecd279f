import { parseArgs } from 'node:util';
import { startMariadb } from '../../../test-support/mariadb.ts';
import { table } from '../cluster/table.ts';
import { startNodePlatform, startPhpPlatform } from './old-platform.ts';
import { phaseRows, plot } from './plot.ts';
import { rehearse } from './run.ts';

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '2000' },
    logins: { type: 'string', default: '20000' },
    clients: { type: 'string', default: '16' },
    old: { type: 'string', default: 'php' },
  },
});

const mariadb = await startMariadb({ args: ['--innodb-buffer-pool-size=64M'] });
const result = await rehearse({
  serverUrl: mariadb.url,
  startOld: values.old === 'node' ? startNodePlatform : startPhpPlatform,
  accounts: Number(values.accounts),
  logins: Number(values.logins),
  clients: Number(values.clients),
  progress: (phase) =>
    console.error(`rehearse:takeover: ${phase}, ${Math.round(performance.now() / 1000)} s so far`),
});
await mariadb.kill();

const { facts, violations, notes } = result;
const rowsOf = (part: object) => Object.entries(part).map(([what, value]) => [what, String(value)]);
console.log(`${table(phaseRows(result))}\n`);
console.log(`${plot(result)}\n`);
console.log(table([...rowsOf(facts), ['— must be 0 —'], ...rowsOf(violations)]));
for (const note of notes) console.log(note);
const holds = Object.values(violations).every((count) => count === 0);
console.log(`\nTakeover and way back under load: ${holds ? 'no login failed, no account lost' : 'BROKEN'}`);
process.exit(holds ? 0 : 1);
