import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdownTable, type Outcome } from './report.ts';

/**
 * Writes the tables of the performance page, in both languages, from result files, so that it contains only measured figures.
 * Arguments: result files.
 */
const DOCS = join(import.meta.dirname, '../../docs');
const [START, END] = ['<!-- measured -->', '<!-- /measured -->'];

interface Stored extends Outcome {
  readonly machine: { cores: number; architecture: string; node: string; pinned: boolean; load: number[] };
  readonly players?: number;
  readonly pace: { warmUp: number; seconds: number; rounds: number };
}

const load = ({ machine }: Stored) => machine.load.map((each) => each.toFixed(1)).join(', ');
const count = (players: number) => players.toLocaleString('en');

/** The pages, and the sentence above each table in their language. The tables are the same. */
const pages: Record<string, (stored: Stored) => string> = {
  'performance.md': (stored) => {
    const { machine, players, pace } = stored;
    return (
      `${machine.cores} ${machine.architecture} cores${machine.pinned ? ', pinned' : ''}, Node ${machine.node}, ` +
      `${players === undefined ? '' : `${count(players)} players, `}${pace.rounds} rounds of ${pace.seconds} s after ` +
      `${pace.warmUp} s of warm-up; load of the machine at the end ${load(stored)}.`
    );
  },
  'zh-CN/performance.md': (stored) => {
    const { machine, players, pace } = stored;
    return (
      `${machine.cores} 个 ${machine.architecture} 核${machine.pinned ? '，已绑定' : ''}，Node ${machine.node}，` +
      `${players === undefined ? '' : `${count(players)} 个玩家，`}预热 ${pace.warmUp} s 之后 ${pace.rounds} 轮、每轮 ` +
      `${pace.seconds} s；结束时机器的负载 ${load(stored)}。`
    );
  },
};

function write(name: string, files: readonly string[], conditions: (stored: Stored) => string): void {
  const file = join(DOCS, name);
  const page = readFileSync(file, 'utf8');
  const [before, after] = [page.split(START)[0], page.split(END)[1]];
  if (before === undefined || after === undefined) throw new Error(`${name} has no place for the tables`);
  const sections = files.map((each) => {
    const stored: Stored = JSON.parse(readFileSync(each, 'utf8'));
    return `${conditions(stored)}\n\n${markdownTable(stored)}`;
  });
  writeFileSync(file, `${before}${START}\n\n${sections.join('\n')}\n${END}${after}`);
}

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error('usage: node bench/src/page.ts bench/results/NAME.json …');
  process.exitCode = 1;
} else for (const [name, conditions] of Object.entries(pages)) write(name, files, conditions);
