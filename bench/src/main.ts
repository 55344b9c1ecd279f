import { fixtures, prepare } from './comparisons.ts';
import { databaseServer, openEnvironment } from './environment.ts';
import { measureGrowth } from './growth.ts';
import { type ComparisonResult, measure } from './measure.ts';
import { type Options, readOptions, USAGE } from './options.ts';
import { measurements } from './other-measurements.ts';
import { type Keep, type Outcome, openResults, printTable, type Remark } from './report.ts';
import { requestsFor } from './requests.ts';

async function runAll(options: Options, keep: Keep): Promise<Outcome> {
  const { players, pace, only } = options;
  const server = databaseServer(players);
  const environment = openEnvironment(players, server);
  const wanted = (name: string) => only.size === 0 || only.has(name);
  const results: ComparisonResult[] = [];
  const remarks: Remark[] = [];
  /** What fails is told among the figures; the others are still worth having. */
  async function step(what: string, work: () => Promise<unknown>): Promise<void> {
    console.error(`${what} …`);
    await work().catch((error) => {
      remarks.push({ what, figure: `failed: ${error.message}`, holds: false });
      process.exitCode = 1;
    });
    keep({ results, remarks });
  }
  try {
    for (const fixture of fixtures(environment, requestsFor(players), players)) {
      if (!wanted(fixture.route)) continue;
      await step(`${fixture.route} on ${fixture.data}`, async () =>
        results.push(await measure(await prepare(fixture), pace)),
      );
    }
    for (const { name, run } of measurements) {
      if (wanted(name))
        await step(name, async () => remarks.push(...(await run({ environment, server, options }))));
    }
  } finally {
    await environment.stop();
    await server.stop();
  }
  return { results, remarks };
}

try {
  const options = readOptions(process.argv.slice(2));
  const { name, keep } = openResults(options);
  const outcome = options.growth ? await measureGrowth(options, keep) : await runAll(options, keep);
  printTable(outcome);
  console.log(`\nwritten to ${name}.{json,md,svg}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  if (error instanceof TypeError) console.error(USAGE);
  process.exitCode = 1;
}
