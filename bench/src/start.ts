import { join } from 'node:path';
import { tempDir } from '../../test-support/process.ts';
import { alone, type Candidate, startBaseline, startGatehouseOn } from './candidates.ts';
import type { MeasurementContext } from './measurement.ts';
import type { Finding } from './report.ts';
import { median } from './statistics.ts';

const TARGET_S = 0.8;

/** Measures the time from process start to the first answer, on an existing database. */
export async function measureStart({ environment, options }: MeasurementContext): Promise<Finding[]> {
  const url = await environment.sqlite();
  const own = () => startGatehouseOn(url, 'gatehouse');
  const baseline = () => startBaseline(url, 'baseline');
  // Node caches compiled code in a folder, which is empty at the first start of an installation.
  const cache = process.env.NODE_COMPILE_CACHE;
  process.env.NODE_COMPILE_CACHE = join(tempDir('compile-cache'), 'cache');
  const ours: number[] = [];
  const theirs: number[] = [];
  const first = await alone(undefined, async () => {
    const seconds = await secondsUntilReady(own);
    for (let round = 0; round < options.pace.rounds; round++) {
      ours.push(await secondsUntilReady(own));
      theirs.push(await secondsUntilReady(baseline));
    }
    return seconds;
  });
  if (cache === undefined) delete process.env.NODE_COMPILE_CACHE;
  else process.env.NODE_COMPILE_CACHE = cache;
  const seconds = median(ours);
  return [
    {
      what: 'cold start',
      figure: `${seconds.toFixed(2)} s, baseline ${median(theirs).toFixed(2)} s, very first ${first.toFixed(2)} s`,
      target: `≤ ${TARGET_S} s`,
      holds: seconds <= TARGET_S,
    },
  ];
}

async function secondsUntilReady(start: () => Promise<Candidate>): Promise<number> {
  const began = performance.now();
  const candidate = await start();
  const seconds = (performance.now() - began) / 1000;
  await candidate.stop();
  return seconds;
}
