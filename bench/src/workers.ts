import { availableParallelism } from 'node:os';
import { type Candidate, startGatehouseOn, startProgram } from './candidates.ts';
import { pin } from './cores.ts';
import { requestFile, runLoad } from './load.ts';
import type { MeasurementContext } from './measurement.ts';
import type { Finding } from './report.ts';
import { requestsFor } from './requests.ts';
import { ratioOf } from './statistics.ts';

const LEAST = 0.95;
const EVERYWHERE = `0-${availableParallelism() - 1}`;

interface Pair {
  readonly file: string;
  readonly one: Candidate;
  readonly two: Candidate;
  readonly alone: number[];
  readonly together: number[];
}

/** Measures what a second process adds to the service and to bare node:http, while the load shares all cores with them. */
export async function measureWorkers({ environment, options }: MeasurementContext): Promise<Finding[]> {
  const url = await environment.sqlite();
  const bodies = ['/api/server/list', '{"servers":[]}'];
  const bareNode = (workers: string) =>
    startProgram('node:http', 'candidates/bare-workers.ts', [workers, ...bodies]);
  const gatehouse = (workers: string) => startGatehouseOn(url, 'gatehouse', { args: ['--workers', workers] });
  const { list, login } = requestsFor(options.players);
  const starts = [
    { start: bareNode, requests: list },
    { start: gatehouse, requests: list },
    { start: gatehouse, requests: login },
  ];
  const { warmUp, seconds, rounds } = options.pace;
  const rate = async ({ port }: Candidate, file: string, duration: number) =>
    (await runLoad({ port, file, seconds: duration, anywhere: true })).rate;

  const pairs: Pair[] = [];
  for (const { start, requests } of starts) {
    const file = requestFile(requests);
    const pair = { file, one: await start('1'), two: await start('2'), alone: [], together: [] };
    for (const candidate of [pair.one, pair.two]) {
      pin(candidate.pid, EVERYWHERE);
      await rate(candidate, file, warmUp);
    }
    pairs.push(pair);
  }
  for (let round = 0; round < rounds; round++) {
    for (const { file, one, two, alone, together } of pairs) {
      alone.push(await rate(one, file, seconds));
      together.push(await rate(two, file, seconds));
    }
  }
  await Promise.all(pairs.flatMap(({ one, two }) => [one.stop(), two.stop()]));

  const [bare = Number.NaN, own = Number.NaN, logins = Number.NaN] = pairs.map(
    ({ alone, together }) => ratioOf(together, alone).median,
  );
  return [
    {
      what: 'two workers against one, list',
      figure: `${own.toFixed(2)}, node:http ${bare.toFixed(2)}`,
      target: `≥ ${LEAST} of node:http's gain`,
      holds: own >= LEAST * bare,
    },
    // Its counters are in the primary.
    { what: 'two workers against one, login on SQLite', figure: logins.toFixed(2) },
  ];
}
