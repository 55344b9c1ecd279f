import { parseArgs } from 'node:util';
import type { Violations } from './judge.ts';
import { type Progress, type RunResult, runMoney } from './run.ts';

const { values } = parseArgs({
  options: {
    withdrawals: { type: 'string', default: '10000' },
    roles: { type: 'string', default: '240' },
    kills: { type: 'string', default: '105' },
    control: { type: 'string', default: '1500' },
    seed: { type: 'string', default: '1' },
  },
});
const number = (name: keyof typeof values) => Number(values[name]);
const isClean = (violations: Violations) => Object.values(violations).every((count) => count === 0);

const gatehouse = await runMoney({
  kind: 'gatehouse',
  withdrawals: number('withdrawals'),
  roles: number('roles'),
  kills: number('kills'),
  seed: number('seed'),
  onProgress: bar('gatehouse'),
});
const naive = await runMoney({
  kind: 'naive',
  withdrawals: number('control'),
  roles: number('roles'),
  kills: Math.ceil((number('kills') * number('control')) / number('withdrawals')),
  seed: number('seed'),
  onProgress: bar('naive control'),
});

console.log(summary(gatehouse, naive));
const holds = isClean(gatehouse.violations);
const catches = !isClean(naive.violations);
console.log(`\nGatehouse: ${holds ? 'every invariant holds' : 'BROKEN'}`);
console.log(`Naive control: ${catches ? 'fails, as it must' : 'NOT CAUGHT, so the run proves nothing'}`);
process.exit(holds && catches ? 0 : 1);

function bar(title: string): (progress: Progress) => void {
  const started = Date.now();
  let shown = -1;
  return ({ replies, of, kills }) => {
    const percent = Math.min(100, Math.floor((100 * replies) / of));
    if (percent === shown || (!process.stderr.isTTY && percent % 5 !== 0)) return;
    shown = percent;
    const filled = '█'.repeat(percent / 4).padEnd(25, '░');
    const seconds = Math.round((Date.now() - started) / 1000);
    const line = `${title} ${filled} ${replies}/${of}  ${kills} kills  ${seconds} s`;
    process.stderr.write(process.stderr.isTTY ? `\r${line}${percent === 100 ? '\n' : ''}` : `${line}\n`);
  };
}

function summary(first: RunResult, second: RunResult): string {
  const rows = [
    ['', 'Gatehouse', 'naive control'],
    ...pairs(first.facts, second.facts),
    ['— must be 0 —', '', ''],
    ...pairs({ ...first.violations }, { ...second.violations }),
  ];
  return rows
    .map(([what = '', a = '', b = '']) => `${what.padEnd(40)}${a.padStart(12)}${b.padStart(16)}`)
    .join('\n');
}

function pairs(first: RunResult['facts'], second: RunResult['facts']): string[][] {
  return Object.keys(first).map((what) => [what, String(first[what]), String(second[what])]);
}
