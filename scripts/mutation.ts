import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { leftOut, parts, testsOf } from './mutation/parts.ts';

const usage = `npm run test:mutation -- [PATH …]  changes the code of a folder or file in many small ways, one at a time, and shows the
                                   changes that no test notices

  --night      every file of every part, those that were not run for longest first
  --hours N    night: begin no file after N hours (8)
  --jobs N     mutants tested at the same time (1)
  --force      test every mutant again, not only those whose code or tests changed
`;

const root = join(import.meta.dirname, '..');
/** Reports, and what was found before. Not committed. */
const results = join(root, '.mutation');
const tools = join(import.meta.dirname, 'mutation');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    night: { type: 'boolean', default: false },
    hours: { type: 'string', default: '8' },
    jobs: { type: 'string', default: '1' },
    force: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const targets = positionals.map((path) => path.replace(/\/+$/, ''));

if (values.help || (targets.length === 0 && !values.night)) console.log(usage);
else {
  installTools();
  if (values.night) runNight(Number(values.hours));
  else for (const target of targets) if (!mutate(target)) process.exitCode = 1;
}

/** File by file, because a run that is stopped keeps nothing. */
function runNight(hours: number): void {
  const end = Date.now() + hours * 3600 * 1000;
  const exclude = ['**/*.test.ts', ...leftOut];
  const files = parts.flatMap(({ folder }) => globSync(`${folder}/**/*.ts`, { cwd: root, exclude }).sort());
  const byAge = files.toSorted((a, b) => lastRun(a) - lastRun(b));
  for (const [done, file] of byAge.entries()) {
    if (Date.now() >= end) {
      console.log(`mutation: no time left for ${byAge.length - done} files`);
      return;
    }
    if (!mutate(file)) process.exitCode = 1;
  }
}

/** Stryker is only needed here, so it is not among the dependencies that every `npm ci` installs. */
function installTools(): void {
  const wanted = readFileSync(join(tools, 'package-lock.json'), 'utf8');
  const stamp = join(tools, 'node_modules/.gatehouse-installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  console.log('mutation: installing Stryker into scripts/mutation/node_modules (64 MB)');
  execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: tools, stdio: 'inherit' });
  writeFileSync(stamp, wanted);
}

/** The start of the last run, even if that run could not finish: it must not keep the others waiting. */
function lastRun(target: string): number {
  return statSync(configFile(target), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Returns false if the unchanged code fails its tests, or Stryker cannot run. Survivors are no failure: people judge them. */
function mutate(target: string): boolean {
  const tests = testsOf(target);
  if (!existsSync(join(root, target)) || tests.length === 0) {
    console.error(
      `mutation: ${target} is not a file or folder below ${parts.map(({ folder }) => folder).join(', ')}`,
    );
    return false;
  }
  mkdirSync(results, { recursive: true });
  const config = configFile(target);
  writeFileSync(config, JSON.stringify(configOf(target), undefined, 2));
  const stryker = join(tools, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const { status } = spawnSync(process.execPath, [stryker, 'run', config], {
    cwd: root,
    stdio: 'inherit',
    // Without the tier, suites would also run on MariaDB.
    env: { ...process.env, TEST_TIER: 'first', MUTATION_TESTS: JSON.stringify(tests) },
  });
  return status === 0;
}

function configOf(target: string) {
  const isFile = target.endsWith('.ts');
  return {
    mutate: isFile ? [target] : [`${target}/**/*.ts`, '!**/*.test.ts', ...leftOut.map((path) => `!${path}`)],
    testRunner: 'vitest',
    // Tests change the working folder, which a thread cannot.
    vitest: { configFile: 'scripts/mutation/vitest.config.ts', related: false, pool: 'forks' },
    coverageAnalysis: 'perTest',
    // They run when a module is loaded, so each would need all tests in a new process.
    ignoreStatic: true,
    // Texts for people, log lines and names of columns: a wrong column fails every test, a wrong text is no fault of logic.
    mutator: { excludedMutations: ['StringLiteral'] },
    incremental: true,
    incrementalFile: incrementalFile(target),
    force: values.force,
    concurrency: Number(values.jobs),
    timeoutMS: 10_000,
    tempDirName: '.mutation/tmp',
    ignorePatterns: [
      '/.mutation',
      '/scripts/mutation/node_modules',
      '/docs',
      '/deploy',
      '/bench',
      'dist',
      'screenshots',
    ],
    reporters: [process.stdout.isTTY ? 'progress' : 'progress-append-only', 'clear-text', 'json', 'html'],
    jsonReporter: { fileName: join(results, `${nameOf(target)}.json`) },
    htmlReporter: { fileName: join(results, `${nameOf(target)}.html`) },
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  };
}

function nameOf(target: string): string {
  return target.replaceAll('/', '-').replace(/\.ts$/, '');
}

function configFile(target: string): string {
  return join(results, `${nameOf(target)}.config.json`);
}

function incrementalFile(target: string): string {
  return join(results, `${nameOf(target)}.incremental.json`);
}
