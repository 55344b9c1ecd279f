import { availableParallelism } from 'node:os';
import { type Contender, startGatehouseOn, startProgram } from './contenders.ts';
import { pin } from './cores.ts';
import { requestFile, runLoad } from './load.ts';
import type { Place } from './other-measurements.ts';
import type { Remark } from './report.ts';
import { requestsFor } from './requests.ts';
import { ratioOf } from './statistics.ts';

const LEAST = 0.9;
const CONNECTIONS = 64;

/** What a second process adds: two of the service beside two of bare node:http, the load sharing all cores with them. */
export async function measureWorkers({ arena, options }: Place): Promise<Remark[]> {
  const url = await arena.sqlite();
  const bodies = ['/api/server/list', '{"servers":[]}'];
  const starts = {
    own: () => startGatehouseOn(url, 'gatehouse'),
    bare: () => startProgram('node:http', 'contenders/bare.ts', bodies),
  };
  const file = requestFile(requestsFor(options.players).list);
  const { warmUp, seconds, rounds } = options.pace;
  const everywhere = `0-${availableParallelism() - 1}`;

  /** The rate of all of them together. */
  async function rate(contenders: readonly Contender[], duration: number): Promise<number> {
    const connections = CONNECTIONS / contenders.length;
    const loads = contenders.map(({ port }) =>
      runLoad({ port, file, seconds: duration, connections, anywhere: true }),
    );
    return (await Promise.all(loads)).reduce((sum, result) => sum + result.rate, 0);
  }

  const pairs: { contenders: Contender[]; one: number[]; two: number[] }[] = [];
  for (const start of [starts.bare, starts.own]) {
    const contenders = [await start(), await start()];
    for (const { pid } of contenders) pin(pid, everywhere);
    await rate(contenders, warmUp);
    pairs.push({ contenders, one: [], two: [] });
  }
  for (let round = 0; round < rounds; round++) {
    for (const { contenders, one, two } of pairs) {
      one.push(await rate(contenders.slice(0, 1), seconds));
      two.push(await rate(contenders, seconds));
    }
  }
  for (const { contenders } of pairs) await Promise.all(contenders.map((contender) => contender.stop()));

  const [bare = Number.NaN, own = Number.NaN] = pairs.map(({ one, two }) => ratioOf(two, one).median);
  return [
    {
      what: 'two processes against one',
      figure: `${own.toFixed(2)}, node:http ${bare.toFixed(2)}`,
      target: `≥ ${LEAST} of node:http's gain`,
      holds: own >= LEAST * bare,
    },
  ];
}
