import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdownTable, type Outcome } from './report.ts';

/**
 * Writes the tables of the performance page, in both languages, from result files, so that it contains only measured figures. The
 * page has a place for each kind of processor; the files replace the tables of theirs. Arguments: result files of one kind.
 */
const DOCS = join(import.meta.dirname, '../../docs');

interface Stored extends Outcome {
  readonly machine: {
    cores: number;
    architecture: string;
    node: string;
    pinned: boolean;
    stolen: number;
    flushMs: number;
  };
  readonly version: { date: string; commit: string };
  readonly players?: number;
  readonly pace: { warmUp: number; seconds: number; rounds: number };
}

const stolen = ({ machine }: Stored) => `${(machine.stolen * 100).toFixed(1)} %`;
const count = (players: number) => players.toLocaleString('en');

/** The pages, and the sentence above each table in their language. The tables are the same. */
const pages: Record<string, (stored: Stored) => string> = {
  'performance.md': (stored) => {
    const { machine, version, players, pace } = stored;
    return (
      `${version.date}, commit ${version.commit}: ${machine.cores} ${machine.architecture} cores${machine.pinned ? ', pinned' : ''}, Node ${machine.node}, ` +
      `${players === undefined ? '' : `${count(players)} players, `}${pace.rounds} rounds of ${pace.seconds} s after ` +
      `${pace.warmUp} s of warm-up; a flush to the disk takes ${machine.flushMs} ms; the hypervisor withheld ` +
      `${stolen(stored)} of the time.`
    );
  },
  'zh-CN/performance.md': (stored) => {
    const { machine, version, players, pace } = stored;
    return (
      `${version.date}，提交 ${version.commit}：${machine.cores} 个 ${machine.architecture} 核${machine.pinned ? '，已绑定' : ''}，Node ${machine.node}，` +
      `${players === undefined ? '' : `${count(players)} 个玩家，`}预热 ${pace.warmUp} s 之后 ${pace.rounds} 轮、每轮 ` +
      `${pace.seconds} s；一次落盘用时 ${machine.flushMs} ms；虚拟机管理程序扣留了 ${stolen(stored)} 的时间。`
    );
  },
};

function write(name: string, results: readonly Stored[], conditions: (stored: Stored) => string): void {
  const [processor, other] = new Set(results.map(({ machine }) => machine.architecture));
  if (processor === undefined || other !== undefined) throw new Error('the files are of several processors');
  const [start, end] = [`<!-- measured on ${processor} -->`, `<!-- /measured on ${processor} -->`];
  const file = join(DOCS, name);
  const page = readFileSync(file, 'utf8');
  const [before, rest] = page.split(start);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${name} has no place for ${processor}`);
  const tables = results.map((stored) => `${conditions(stored)}\n\n${markdownTable(stored)}`);
  writeFileSync(file, `${before}${start}\n\n${tables.join('\n')}\n${end}${after}`);
}

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error('usage: node bench/src/page.ts bench/results/NAME.json …');
  process.exitCode = 1;
} else {
  const results: Stored[] = files.map((file) => JSON.parse(readFileSync(file, 'utf8')));
  for (const [name, conditions] of Object.entries(pages)) write(name, results, conditions);
}
