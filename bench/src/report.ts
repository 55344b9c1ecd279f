import { execFileSync } from 'node:child_process';
import { closeSync, fdatasyncSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { tempDir } from '../../test-support/process.ts';
import { barChart } from './chart.ts';
import { canPin, watchStolenTime } from './cores.ts';
import type { ComparisonResult } from './measure.ts';
import type { Options } from './options.ts';
import { judge, median, type Ratio, ratioOf, type Verdict } from './statistics.ts';

const RESULTS = join(import.meta.dirname, '../results');

/** The result of a measurement other than a load comparison. */
export interface Finding {
  readonly what: string;
  readonly figure: string;
  readonly target?: string;
  readonly holds?: boolean;
}

export interface Outcome {
  readonly results: readonly ComparisonResult[];
  readonly findings: readonly Finding[];
}

const number = (value: number) => value.toFixed(value < 10 ? 2 : 1);
const spread = ({ median: middle, least, most }: Ratio) =>
  `${number(middle)} (${number(least)}–${number(most)})`;
const targetText = ({ atLeast, maxP99, over, ratio, p99 }: Verdict) =>
  `${number(ratio.median)} ≥ ${atLeast}${maxP99 === undefined ? '' : `, p99 ${number(p99)} ≤ ${maxP99}`} of ${over}`;
const verdict = (holds: boolean | undefined) => (holds === undefined ? '' : holds ? 'yes' : 'NO');

/** One line per candidate, as a ratio to the first of its comparison. */
function rows({ results, findings }: Outcome): string[][] {
  const comparisons = results.flatMap((result) => {
    const [base] = result.figures;
    const verdicts = judge(result);
    return result.figures.map(({ name, rates, costs, p99 }) => {
      const own = verdicts.filter((each) => each.of === name);
      return [
        result.route,
        result.data,
        name,
        spread(ratioOf(rates, base?.rates ?? [])),
        number(ratioOf(costs, base?.costs ?? []).median),
        number(median(p99) / median(base?.p99 ?? [])),
        own.map(targetText).join('; '),
        own.map(({ holds }) => verdict(holds)).join('; '),
      ];
    });
  });
  const others = findings.map(({ what, figure, target = '', holds }) => [
    what,
    '',
    '',
    figure,
    '',
    '',
    target,
    verdict(holds),
  ]);
  return [...comparisons, ...others];
}

const HEAD = ['route', 'data', 'candidate', 'rate (spread)', 'CPU', 'p99', 'target', 'holds'];

export function printTable(outcome: Outcome): void {
  const lines = [HEAD, ...rows(outcome)];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => [...(line[column] ?? '')].length)));
  for (const line of lines)
    console.log(line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
}

export function markdownTable(outcome: Outcome): string {
  const table = [HEAD, HEAD.map(() => '---'), ...rows(outcome)];
  return table.map((line) => `| ${line.join(' | ')} |\n`).join('');
}

export type SaveResults = (outcome: Outcome) => void;

/**
 * Saves Markdown for the documentation, JSON for machines and a chart. Called after every measurement: a run takes half an hour,
 * and a later failure must not lose earlier results.
 */
export function openResults({ growth, before, players, pace }: Options): { name: string; save: SaveResults } {
  mkdirSync(RESULTS, { recursive: true });
  const started = new Date().toISOString().slice(0, 19).replaceAll(':', '');
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const stolenShare = watchStolenTime();
  const flushMs = timeFlush(tempDir('flush'));
  const kind = before !== undefined ? 'before' : growth ? 'growth' : 'bench';
  const name = join(RESULTS, `${kind}-${started}`);
  return {
    name,
    save(outcome) {
      const machine = {
        cores: cpus().length,
        model: cpus()[0]?.model ?? '',
        architecture: process.arch,
        node: process.version,
        pinned: canPin,
        stolen: stolenShare(),
        flushMs,
      };
      const version = { date: started.slice(0, 10), commit };
      // Growth compares different numbers of players and names them in every line.
      const conditions = { machine, version, pace, ...(!growth && { players }) };
      writeFileSync(`${name}.json`, JSON.stringify({ ...conditions, ...outcome }, null, 2));
      writeFileSync(`${name}.md`, markdownTable(outcome));
      writeFileSync(`${name}.svg`, barChart(outcome.results));
    },
  };
}

const FLUSHES = 201;

/** Returns the median time of a flush to the disk with the databases: it decides how much writing in batches gains. */
function timeFlush(folder: string): number {
  const file = openSync(join(folder, 'flushed'), 'w');
  const page = Buffer.alloc(4096, 1);
  const times = Array.from({ length: FLUSHES }, () => {
    writeSync(file, page);
    const started = performance.now();
    fdatasyncSync(file);
    return performance.now() - started;
  });
  closeSync(file);
  return Number(median(times).toFixed(3));
}
