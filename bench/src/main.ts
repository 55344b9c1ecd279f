import { tmpdir } from 'node:os';
import { installMissing } from '../../scripts/setup.ts';
import { bundledService } from '../../test-support/bundle.ts';
import { SERVICE_BUNDLE } from '../../test-support/gatehouse.ts';
import { installLine } from '../../test-support/programs.ts';
import { runFolder } from '../../test-support/run-folder.ts';
import { measureBefore } from './before.ts';
import { printChanges } from './compare.ts';
import { plannedComparisons, prepare } from './comparisons.ts';
import { databaseServer, openEnvironment } from './environment.ts';
import { measureGrowth } from './growth.ts';
import { LATENCY_ROUTES, measureLatency } from './latency.ts';
import { type ComparisonResult, measure } from './measure.ts';
import { type Options, readOptions, USAGE } from './options.ts';
import { measurements } from './other-measurements.ts';
import { type Finding, type Outcome, openResults, printTable, type SaveResults } from './report.ts';
import { requestsFor } from './requests.ts';

async function runAll(options: Options, save: SaveResults): Promise<Outcome> {
  const { players, pace, only } = options;
  const server = databaseServer(players);
  const environment = openEnvironment(players, server);
  const wanted = (name: string) => only.size === 0 || only.has(name);
  const results: ComparisonResult[] = [];
  const findings: Finding[] = [];
  /** Reports a failure among the results and continues with the other measurements. */
  async function step(what: string, work: () => Promise<unknown>): Promise<void> {
    console.error(`${what} …`);
    await work().catch((error) => {
      findings.push({ what, figure: `failed: ${error.message}`, holds: false });
      process.exitCode = 1;
    });
    save({ results, findings });
  }
  try {
    for (const planned of plannedComparisons(environment, requestsFor(players), players)) {
      if (!wanted(planned.route)) continue;
      if (options.latency && !LATENCY_ROUTES.has(planned.route)) continue;
      await step(`${planned.route} on ${planned.data}`, async () =>
        options.latency
          ? findings.push(...(await measureLatency(planned, pace)))
          : results.push(await measure(await prepare(planned), pace)),
      );
    }
    for (const { name, run } of measurements) {
      if (wanted(name) && !options.latency)
        await step(name, async () => findings.push(...(await run({ environment, server, options }))));
    }
  } finally {
    await environment.stop();
    await server.stop();
  }
  return { results, findings };
}

function run(options: Options, save: SaveResults): Promise<Outcome> {
  if (options.before !== undefined) return measureBefore(options.before, options, save);
  return options.growth ? measureGrowth(options, save) : runAll(options, save);
}

/** Fails before anything is measured, and installs what is missing if that needs no password. */
function requirePrograms(): void {
  const missing = installMissing('bench');
  if (missing.length > 0)
    throw new Error(`the benchmark needs ${missing.join(', ')}. Install with:\n  ${installLine(missing)}`);
}

try {
  const options = readOptions(process.argv.slice(2));
  requirePrograms();
  // The tests use a folder in memory, where a durable write costs nothing.
  runFolder(tmpdir());
  // As in a release.
  process.env[SERVICE_BUNDLE] = await bundledService();
  const { name, save } = openResults(options);
  const outcome = await run(options, save);
  printTable(outcome);
  if (options.compare !== undefined) printChanges(options.compare, outcome);
  console.log(`\nwritten to ${name}.{json,md,svg}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  if (error instanceof TypeError) console.error(USAGE);
  process.exitCode = 1;
}
