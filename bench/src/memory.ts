import { memoryOf, startGatehouseOn } from './contenders.ts';
import { requestFile, runLoad } from './load.ts';
import type { Place } from './other-measurements.ts';
import type { Remark } from './report.ts';
import { requestsFor } from './requests.ts';

const MOST_MB = 150;
const ROUTES = ['list', 'login', 'checkJwt', 'bindings', 'enterGame', 'chat'] as const;

/** A fresh process, at rest and after load on every kind of route. */
export async function measureMemory({ arena, options }: Place): Promise<Remark[]> {
  const requests = requestsFor(options.players);
  const remarks: Remark[] = [];
  for (const [engine, url] of [
    ['SQLite', await arena.sqlite()],
    ['MariaDB', await arena.mariadb()],
  ] as const) {
    const service = await startGatehouseOn(url, 'gatehouse');
    const idle = memoryOf(service);
    for (const route of ROUTES)
      await runLoad({
        port: service.port,
        file: requestFile(requests[route]),
        seconds: options.pace.warmUp,
      });
    const loaded = memoryOf(service);
    await service.stop();
    remarks.push({
      what: `memory, ${engine}`,
      figure: `${idle.own} MB idle, ${loaded.own} MB after load; beside it ${loaded.mapped} MB of mapped files`,
      target: `≤ ${MOST_MB} MB beside the page cache`,
      holds: loaded.own <= MOST_MB,
    });
  }
  return remarks;
}
