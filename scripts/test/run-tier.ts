import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installLine } from '../../test-support/programs.ts';
import { type Failure, type RunResults, summaryLine } from '../../test-support/results.ts';
import { fileTimes } from '../../test-support/sequencer.ts';
import { root, runToEnd, runVitest, type Tier } from './vitest.ts';

export type { Tier };

interface TierRun {
  readonly tier: Tier;
  readonly filters: readonly string[];
  readonly without: readonly string[];
  readonly saveTimes: boolean;
}

const SLOWEST_SHOWN = 10;
/** With more failed files than this, the code is at fault and not the scheduler. */
const RETRIED_FILES = 10;

/** Builds the pages, runs a tier with type check and lint in parallel, and returns the exit status. */
export async function runTier({ tier, filters, without, saveTimes }: TierRun): Promise<number> {
  const buildStatus = await runToEnd(process.execPath, ['scripts/build.ts']);
  if (buildStatus !== 0) return buildStatus;
  const check = tier === 'first' && filters.length === 0 ? startCheck() : undefined;
  const results = await runVitest({ tier, filters, without });
  const checkFault = await check;
  if (results === undefined) {
    console.log(`The tests ended without results.\n${summaryLine({ passed: 0, failed: 1 })}`);
    return 1;
  }
  const { failed, flaky } = await retryFailures(results, { tier, without });
  if (saveTimes) saveFileTimes(results);

  printSlowest(results);
  for (const { file, name, error } of flaky)
    console.log(`\nFlaky: ${file} > ${name}\n  failed first with: ${firstLine(error)}`);
  printNotTried(results);
  if (checkFault !== undefined) console.log(`\nnpm run check failed:\n${checkFault}`);
  const failures = failed.length + (checkFault === undefined ? 0 : 1);
  const passed = results.passed + flaky.length;
  if (flaky.length > 0) console.log(`\n${flaky.length} flaky`);
  console.log(`\n${summaryLine({ passed, failed: failures, skipped: results.skipped })}`);
  return failures === 0 && passed > 0 ? 0 : 1;
}

/** Reruns the failed files one at a time, unless CI is set: there every race must show. */
async function retryFailures(
  { failures }: RunResults,
  run: { tier: Tier; without: readonly string[] },
): Promise<{ failed: readonly Failure[]; flaky: readonly Failure[] }> {
  const files = [...new Set(failures.flatMap(({ file }) => file ?? []))];
  const isKnown = failures.every(({ file }) => file !== undefined);
  if (failures.length === 0 || process.env.CI || !isKnown || files.length > RETRIED_FILES)
    return { failed: failures, flaky: [] };
  console.log(
    `\nTrying ${files.length === 1 ? 'the failed file' : `the ${files.length} failed files`} once more.`,
  );
  const again = await runVitest({ ...run, filters: files, args: ['--maxWorkers=1'] });
  if (again === undefined) return { failed: failures, flaky: [] };
  const failedAgain = new Set(again.failures.map(keyOf));
  return {
    failed: again.failures,
    flaky: failures.filter((failure) => !failedAgain.has(keyOf(failure))),
  };
}

const keyOf = ({ file, name }: Failure) => `${file} > ${name}`;
const firstLine = (text: string) => text.split('\n', 1)[0] ?? '';

/** Resolves to what the check printed if it failed, and to undefined if it passed. */
function startCheck(): Promise<string | undefined> {
  const child = spawn('npm', ['run', 'check', '--silent'], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  return new Promise((resolve) => child.once('close', (code) => resolve(code === 0 ? undefined : output)));
}

function printSlowest({ files }: RunResults): void {
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST_SHOWN);
  console.log('\nSlowest files:');
  for (const { seconds, file, tests } of slowest)
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${file} (${tests} tests)`);
}

function printNotTried({ notTried }: RunResults): void {
  const programs = Object.keys(notTried);
  if (programs.length === 0) return;
  console.log('\nNot tried, because the programs are not installed and only root can install them:');
  for (const [program, tests] of Object.entries(notTried))
    console.log(`  ${program}: ${tests} ${tests === 1 ? 'test' : 'tests'}`);
  console.log(`To run these tests too:\n  ${installLine(programs)}`);
}

/** Keeps the times of files that did not run this time. */
function saveFileTimes({ files }: RunResults): void {
  const measured = new Map(Object.entries(fileTimes));
  for (const file of new Set(files.map((each) => each.file))) {
    const seconds = files.filter((each) => each.file === file).map((each) => each.seconds);
    measured.set(file, Number(Math.max(...seconds).toFixed(1)));
  }
  const sorted = [...measured].sort(([, a], [, b]) => b - a);
  writeFileSync(
    join(root, 'test-support/file-times.json'),
    `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`,
  );
}
