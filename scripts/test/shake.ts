import { keepCoresBusy } from '../../test-support/busy-cores.ts';
import { runToEnd, runVitest } from './vitest.ts';

interface Shake {
  readonly times: number;
  readonly seed: number;
  readonly filters: readonly string[];
  readonly without: readonly string[];
}

/**
 * Runs the first tier repeatedly while every core is busy, each time in another order, and prints every test that failed at least
 * once. Returns the exit status.
 */
export async function shake({ times, seed, filters, without }: Shake): Promise<number> {
  const buildStatus = await runToEnd(process.execPath, ['scripts/build.ts']);
  if (buildStatus !== 0) return buildStatus;
  const failed = new Map<string, { count: number; seeds: number[]; error: string }>();
  const note = (name: string, seedOfRun: number, error: string) => {
    const known = failed.get(name) ?? { count: 0, seeds: [], error };
    known.count++;
    known.seeds.push(seedOfRun);
    failed.set(name, known);
  };
  await using _ = await keepCoresBusy();
  for (let run = 0; run < times; run++) {
    const seedOfRun = seed + run;
    console.log(`\nshake: run ${run + 1} of ${times}, seed ${seedOfRun}`);
    const began = Date.now();
    const results = await runVitest({
      tier: 'first',
      filters,
      without,
      env: { TEST_SEED: String(seedOfRun) },
    });
    if (results === undefined) note('the whole run', seedOfRun, 'ended without results');
    for (const { file, name, error } of results?.failures ?? []) note(`${file} > ${name}`, seedOfRun, error);
    console.log(`shake: ${results?.passed ?? 0} passed in ${Math.round((Date.now() - began) / 1000)} s`);
  }
  console.log(`\nshake: ${times} runs, ${failed.size} tests failed at least once`);
  for (const [name, { count, seeds, error }] of failed)
    console.log(
      `${String(count).padStart(4)} of ${times}  ${name}\n      seeds ${seeds.join(', ')}: ${error.split('\n', 1)[0]}`,
    );
  return failed.size === 0 ? 0 : 1;
}
