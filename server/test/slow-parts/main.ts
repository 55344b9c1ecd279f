import { parseArgs } from 'node:util';
import { table } from '../cluster/table.ts';
import { type Dependency, dependencies, startSlowParts } from './parts.ts';
import { isNeeded, routes, type SlowResult, startSlowRun } from './run.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    delays: { type: 'string', default: '1,4,9,30' },
    only: { type: 'string' },
  },
});
const seconds = Number(values.seconds);
const delays = values.delays.split(',').map((text) => Number(text) * 1000);
const chosen = (values.only?.split(',') as Dependency[] | undefined) ?? dependencies;

const parts = await startSlowParts();
const run = startSlowRun(parts);
const results: SlowResult[] = [];
const play = async (dependency: Dependency | 'none', delayMs: number) => {
  results.push(await run.play(dependency, delayMs, seconds));
  console.error(`${dependency} ${delayMs / 1000} s`);
};
await run.play('none', 0, 5);
await play('none', 0);
for (const dependency of chosen) {
  const missing = parts.without(dependency);
  if (missing !== undefined) console.error(`${dependency}: not played, ${missing}`);
  else for (const delay of delays) await play(dependency, delay);
}
await play('none', 0);
const violations = await run.judge();
await parts.close();

const cell = (result: SlowResult, route: (typeof routes)[number]) => {
  const { good, refused, bad, slowest } = result.figures[route];
  const text = `${good}/${refused}/${bad} ${(slowest / 1000).toFixed(1)}`;
  return result.dependency !== 'none' && isNeeded(result.dependency, route) ? `(${text})` : text;
};
console.log('good/refused/bad answers and the slowest in s; in brackets: needs what is slow');
console.log(
  table([
    ['slow', 's', ...routes],
    ...results.map((result) => [
      result.dependency,
      String(result.delayMs / 1000),
      ...routes.map((route) => cell(result, route)),
    ]),
  ]),
);
for (const { dependency, delayMs, figures } of results)
  for (const route of routes)
    if (figures[route].refusals !== '')
      console.log(`${dependency} at ${delayMs / 1000} s, ${route}: ${figures[route].refusals}`);
const doubled = results.reduce((sum, each) => sum + each.doubledMails, 0);
console.log(
  table([
    ['— must be 0 —', ''],
    ['mails sent twice', String(doubled)],
    ...Object.entries(violations).map(([what, n]) => [what, String(n)]),
  ]),
);
const isSafe = doubled === 0 && Object.values(violations).every((n) => n === 0);
const isBounded = results.every(({ figures }) => routes.every((route) => figures[route].bad === 0));
console.log(isSafe && isBounded ? 'every answer in bounded time, nothing twice' : 'BROKEN');
process.exit(isSafe && isBounded ? 0 : 1);
