import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from '@gatehouse/simulators/random';
import { runControls } from './controls.ts';
import { LATEST_OPENING_MS, runEntry } from './entry.ts';
import type { Fault } from './fault.ts';
import { possibleFaults } from './faults.ts';
import { LONGEST_GAP_MS, LONGEST_PARTITION_GAP_MS, MAX_GROWTH, measure } from './measures.ts';
import { createClusterNetwork, enterOwnNetwork, OWN_NETWORK } from './own-network.ts';
import { startParts } from './parts.ts';
import { plot } from './plot.ts';
import { showProgress } from './progress.ts';
import { rates, runCluster } from './run.ts';
import { schedule } from './schedule.ts';
import { gapTable, table } from './table.ts';
import { endOf, kinds } from './timeline.ts';
import { unexpectedOutcomes } from './unexpected-outcomes.ts';

/** The full run injects at least this many. */
const FAULTS = 400;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    faults: { type: 'string' },
    short: { type: 'boolean', default: false },
    /** A sort of fault; may be given several times. */
    only: { type: 'string', multiple: true },
    [OWN_NETWORK]: { type: 'boolean', default: false },
  },
});
if (!values[OWN_NETWORK]) enterOwnNetwork();
const seed = Number(values.seed);
const network = values[OWN_NETWORK] ? createClusterNetwork() : undefined;
const { possible, leftOut } = possibleFaults({ hasNetwork: network !== undefined });
const sorts = possible.filter(({ name }) => values.only?.includes(name) ?? true);
if (sorts.length === 0)
  throw new Error(`these are the sorts: ${possible.map(({ name }) => name).join(', ')}`);
const count = Number(values.faults ?? (values.short ? 1 : Math.ceil(FAULTS / sorts.length)) * sorts.length);
const folder = join(import.meta.dirname, 'results', new Date().toISOString().replaceAll(/[:.]/g, '-'));
mkdirSync(folder, { recursive: true });

const parts = await startParts(network);
const plan = schedule(sorts, count, seededRandom(seed));
const result = await runCluster({ parts, plan, rates, seed, folder, onProgress: showProgress('cluster') });
const entry = await runEntry({ parts, tickets: 40 });
const controls = await runControls({ parts, folder, seed });
await parts.close();

const measures = measure(result);
const title = `Gatehouse on a three-node cluster: ${count} faults, ${result.acknowledged} acknowledged writes`;
writeFileSync(join(folder, 'run.json'), JSON.stringify({ seed, ...result, measures, controls, entry }));
writeFileSync(join(folder, 'run.svg'), plot(result, title));

const violations = { ...result.violations, ...entry.violations };
const latestOpening = Math.max(0, ...entry.lastRefusals);
const isInTime = measures.holds && latestOpening <= LATEST_OPENING_MS;
const isSafe = Object.values(violations).every((each) => each === 0);
const catches = controls.lost > 0 && controls.doubled > 0;
const answered = (kind: string) =>
  result.requests.filter((each) => each.kind === kind && each.outcome === 'ok').length;
const seconds = endOf(result.requests) / 1000;

console.log(
  [
    table([
      ['faults', String(result.windows.length)],
      ['sorts of faults', String(sorts.length)],
      ['seconds of load', seconds.toFixed(0)],
      [
        'acknowledged writes (a chat record, a player, an entry, a withdrawal: 1 each)',
        String(result.acknowledged),
      ],
      ...kinds.map((kind) => [`  good answers to ${kind}`, String(answered(kind))]),
      ['tickets, each presented fifty times at once', String(entry.tickets)],
      ['processes that ended by themselves', String(result.crashes)],
    ]),
    table([['— must be 0 —', ''], ...Object.entries(violations).map(([what, each]) => [what, String(each)])]),
    table([['— unexpected —', ''], ...unexpectedOutcomes(result)]),
    gapTable(measures.rows),
    '(in brackets: needs what was broken, or everything was)',
    ...(leftOut.length === 0 ? [] : [`Left out on this machine: ${leftOut.map(describeLeftOut).join(', ')}`]),
    table([
      ['— measured —', '', ''],
      [
        'longest gap in a single fault',
        `${(measures.longestGap / 1000).toFixed(1)} s`,
        `at most ${LONGEST_GAP_MS / 1000} s`,
      ],
      [
        'longest gap in a partition',
        `${(measures.longestPartitionGap / 1000).toFixed(1)} s`,
        `at most ${LONGEST_PARTITION_GAP_MS / 1000} s`,
      ],
      [
        `a zone opens, on clocks ${entry.clocks.map((ms) => `${Math.round(ms / 1000)} s`).join(', ')} off`,
        `${(latestOpening / 1000).toFixed(1)} s late`,
        `at most ${LATEST_OPENING_MS / 1000} s`,
      ],
      ['memory, last quarter to second', measures.memoryGrowth.toFixed(2), `at most ${MAX_GROWTH}`],
    ]),
    `Gatehouse: ${isSafe ? 'nothing lost, nothing doubled, nothing untrue' : 'BROKEN'}; ${isInTime ? 'in time' : 'TOO LATE OR TOO LARGE'}`,
    `Wrong controls: ${controls.lost} lost, ${controls.doubled} doubled: ${catches ? 'caught, as they must be' : 'NOT CAUGHT, so the run proves nothing'}`,
    `Results: ${relative('', folder)}`,
  ].join('\n\n'),
);
process.exit(isSafe && isInTime && catches ? 0 : 1);

function describeLeftOut({ name, requires }: Fault): string {
  return `${name} (needs ${requires === 'network' ? 'root and a network namespace' : requires})`;
}
