import { join } from 'node:path';
import { tempDir } from '../../test-support/process.ts';
import { memoryOf, startGatehouseOn } from './candidates.ts';
import { fillSqlite } from './fill.ts';
import { requestFile, runLoad } from './load.ts';
import type { MeasurementContext } from './measurement.ts';
import type { Finding } from './report.ts';
import { requestsFor } from './requests.ts';
import { median } from './statistics.ts';

const MAX_MB = 120;
const ROUTES = ['list', 'login', 'checkJwt', 'bindings', 'enterGame', 'chat'] as const;

/** So few that SQLite's in-process page cache is nearly empty. */
const FEW = 10_000;

/** Measures fresh processes, idle and after load on every kind of route. */
export async function measureMemory({
  environment,
  options: { players, pace },
}: MeasurementContext): Promise<Finding[]> {
  async function measureOnce(url: string, count: number) {
    const requests = requestsFor(count);
    const service = await startGatehouseOn(url, 'gatehouse');
    const idle = memoryOf(service);
    for (const route of ROUTES)
      await runLoad({ port: service.port, file: requestFile(requests[route]), seconds: pace.seconds });
    const loaded = memoryOf(service);
    await service.stop();
    return { idle: idle.own, loaded: loaded.own, mapped: loaded.mapped };
  }
  async function measured(url: string, count: number) {
    const rounds: Awaited<ReturnType<typeof measureOnce>>[] = [];
    for (let round = 0; round < pace.rounds; round += 1) rounds.push(await measureOnce(url, count));
    const of = (name: keyof (typeof rounds)[number]) => rounds.map((each) => each[name]);
    const loaded = median(of('loaded'));
    const spread = `${Math.min(...of('loaded'))}–${Math.max(...of('loaded'))}`;
    const figure = `${median(of('idle'))} MB idle, ${loaded} MB (${spread}) after load; beside it ${median(of('mapped'))} MB of mapped files`;
    return { figure, loaded };
  }
  const judged = (what: string, { figure, loaded }: Awaited<ReturnType<typeof measured>>): Finding => ({
    what,
    figure,
    target: `≤ ${MAX_MB} MB beside the page cache`,
    holds: loaded <= MAX_MB,
  });

  const small = join(tempDir('memory'), 'players.db');
  await fillSqlite(small, FEW);
  const crowded = await measured(await environment.sqlite(), players);
  return [
    judged(`memory, SQLite, ${FEW.toLocaleString('en')} players`, await measured(`sqlite:${small}`, FEW)),
    { what: 'memory, SQLite, all players, page cache included', figure: crowded.figure },
    judged('memory, MariaDB', await measured(await environment.mariadb(), players)),
  ];
}
