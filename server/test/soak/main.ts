import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { bundledService } from '../../../test-support/bundle.ts';
import { SERVICE_BUNDLE } from '../../../test-support/gatehouse.ts';
import { runFolder } from '../../../test-support/run-folder.ts';
import { memoryGrowth } from '../cluster/memory.ts';
import { plot } from '../cluster/plot.ts';
import { table } from '../cluster/table.ts';
import { kinds } from '../cluster/timeline.ts';
import { percentile, soak } from './run.ts';

/** Memory after the first quarter may grow by this much until the kill; half an hour is too short to judge it. */
const MAX_GROWTH = 1.2;
const JUDGED_MINUTES = 30;
const PLOT_BIN_MS = 30_000;

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
// On a disk, and the service as in a release: its figures are an operator's.
runFolder(tmpdir());
process.env[SERVICE_BUNDLE] = await bundledService();

const result = await soak({ minutes, rows, say: (text) => console.error(text) });
const { requests, windows, killedAt, memory, resources, tables, violations } = result;
const title = `Gatehouse, ${minutes} minutes of load with pauses`;
writeFileSync(join(folder, 'soak.svg'), plot(result, title, PLOT_BIN_MS));
writeFileSync(
  join(folder, 'soak.json'),
  JSON.stringify({ windows, killedAt, memory, resources, tables, violations }),
);

const ms = (value: number) => value.toFixed(0);
const ofFirstProcess = memory.filter(({ at }) => at < killedAt);
const growth = memoryGrowth(ofFirstProcess);
const most = (samples: typeof memory) => Math.max(...samples.map(({ megabytes }) => megabytes)).toFixed(0);
/** Returns the median of the ten samples that begin at this time. */
const around = (of: 'handles' | 'timers', at: number) =>
  resources
    .filter((sample) => sample.at >= at)
    .slice(0, 10)
    .map((sample) => sample[of])
    .sort((a, b) => a - b)
    .at(5) ?? Number.NaN;
const course = (of: 'handles' | 'timers') =>
  [0, killedAt - 20_000, minutes * 60_000 - 20_000].map((at) => around(of, at)).join(' ');
const isSafe = Object.values(violations).every((count) => count === 0);
const isFlat = minutes < JUDGED_MINUTES || growth <= MAX_GROWTH;
console.log(
  [
    table([
      ['ms', 'p50, beginning', 'end', 'p99, beginning', 'end', 'requests', 'not good'],
      ...kinds.map((kind) => {
        const ofKind = requests.filter((each) => each.kind === kind);
        const failed = ofKind.filter(({ outcome }) => outcome !== 'ok').length;
        const times = [0.5, 0.99].flatMap((share) => [0, 3].map((part) => percentile(ofKind, part, share)));
        return [kind, ...times.map(ms), String(ofKind.length), String(failed)];
      }),
    ]),
    table([
      ['— measured —', ''],
      ['memory until the kill, last quarter to second', growth.toFixed(2)],
      [
        'highest memory in MB, before and after the kill',
        `${most(ofFirstProcess)} ${most(memory.slice(ofFirstProcess.length))}`,
      ],
      ['file handles at the beginning, before the kill, at the end', course('handles')],
      ['timers at the beginning, before the kill, at the end', course('timers')],
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
