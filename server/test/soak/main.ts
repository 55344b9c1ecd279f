import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { memoryGrowth } from '../cluster/memory.ts';
import { plot } from '../cluster/plot.ts';
import { table } from '../cluster/table.ts';
import { kinds } from '../cluster/timeline.ts';
import { p99, soak } from './run.ts';

/** Memory after the first quarter may grow by this much; half an hour is too short to judge it. */
const MAX_GROWTH = 1.2;
const JUDGED_MINUTES = 30;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '120' },
    rows: { type: 'string' },
  },
});
const minutes = Number(values.minutes);
const rows = Number(values.rows ?? (minutes >= 60 ? 5_000_000 : 50_000));
const folder = join(import.meta.dirname, 'results', new Date().toISOString().replaceAll(/[:.]/g, '-'));
mkdirSync(folder, { recursive: true });

const result = await soak({ minutes, rows, say: (text) => console.error(text) });
const { requests, windows, memory, handles, tables, violations } = result;
const title = `Gatehouse, ${minutes} minutes of load with pauses`;
writeFileSync(join(folder, 'soak.svg'), plot({ ...result, acknowledged: 0, crashes: 0 }, title));
writeFileSync(join(folder, 'soak.json'), JSON.stringify({ windows, memory, handles, tables, violations }));

const ms = (value: number) => value.toFixed(0);
const growth = memoryGrowth(memory);
const isSafe = Object.values(violations).every((count) => count === 0);
const isFlat = minutes < JUDGED_MINUTES || growth <= MAX_GROWTH;
console.log(
  [
    table([
      ['p99 in ms', 'beginning', 'end', 'requests', 'not good'],
      ...kinds.map((kind) => {
        const ofKind = requests.filter((each) => each.kind === kind);
        const failed = ofKind.filter(({ outcome }) => outcome !== 'ok').length;
        return [kind, ms(p99(ofKind, 0)), ms(p99(ofKind, 3)), String(ofKind.length), String(failed)];
      }),
    ]),
    table([
      ['— measured —', ''],
      ['memory, last quarter to second', growth.toFixed(2)],
      ['file handles, beginning and end', `${handles[0]} ${handles.at(-1)}`],
      ...tables.map(({ name, before, after }) => [`rows of ${name}`, `${before} → ${after}`]),
    ]),
    table([
      ['— must be 0 —', ''],
      ...Object.entries(violations).map(([what, count]) => [what, String(count)]),
    ]),
    ...requests
      .filter(({ outcome }) => outcome === 'wrong' || outcome === 'unclean')
      .map(({ kind, from, note }) => `${kind} after ${(from / 60_000).toFixed(1)} min: ${note}`),
    `${isSafe ? 'nothing lost, nothing twice' : 'BROKEN'}; ${isFlat ? 'memory is flat or was not judged' : 'MEMORY GROWS'}`,
    `Results: ${relative('', folder)}`,
  ].join('\n\n'),
);
process.exit(isSafe && isFlat ? 0 : 1);
