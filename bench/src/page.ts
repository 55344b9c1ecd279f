import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdownTable, type Outcome } from './report.ts';

/**
 * Writes the tables of the performance page from result files, so that it contains only measured figures. Arguments: result
 * files.
 */
const PAGE = join(import.meta.dirname, '../../docs/performance.md');
const [START, END] = ['<!-- measured -->', '<!-- /measured -->'];

interface Stored extends Outcome {
  readonly machine: { cores: number; architecture: string; node: string; pinned: boolean; load: number[] };
  readonly players?: number;
  readonly pace: { warmUp: number; seconds: number; rounds: number };
}

function section(file: string): string {
  const stored: Stored = JSON.parse(readFileSync(file, 'utf8'));
  const { machine, players, pace } = stored;
  const conditions =
    `${machine.cores} ${machine.architecture} cores${machine.pinned ? ', pinned' : ''}, Node ${machine.node}, ` +
    `${players === undefined ? '' : `${players.toLocaleString('en')} players, `}${pace.rounds} rounds of ${pace.seconds} s after ${pace.warmUp} s of ` +
    `warm-up; load of the machine at the end ${machine.load.map((each) => each.toFixed(1)).join(', ')}.`;
  return `${conditions}\n\n${markdownTable(stored)}`;
}

const files = process.argv.slice(2);
const page = readFileSync(PAGE, 'utf8');
const [before, after] = [page.split(START)[0], page.split(END)[1]];
if (files.length === 0 || before === undefined || after === undefined) {
  console.error('usage: node bench/src/page.ts bench/results/NAME.json …');
  process.exitCode = 1;
} else writeFileSync(PAGE, `${before}${START}\n\n${files.map(section).join('\n')}\n${END}${after}`);
