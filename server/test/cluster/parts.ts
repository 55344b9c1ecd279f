import { startZone, type Zone } from '@gatehouse/simulators/zone';
import { type Galera, startGalera } from '../../../test-support/galera.ts';
import { type Mariadb, startMariadb } from '../../../test-support/mariadb.ts';
import { type RedisSentinel, startRedisSentinel } from '../../../test-support/redis-sentinel.ts';
import type { SplitNetwork } from '../../../test-support/split-network.ts';
import { type MailServer, startMailServer } from './mail-server.ts';

/** Everything the service depends on, real and breakable. */
export interface Parts {
  readonly galera: Galera;
  readonly redis: RedisSentinel;
  readonly mail: MailServer;
  /** Server of the game databases. */
  readonly games: Mariadb;
  readonly zones: readonly Zone[];
  /** The database nodes and the instances of the service are in places of this network, if there is one. */
  readonly network: SplitNetwork | undefined;
  close(): Promise<void>;
}

/** The game saves every two seconds; Gatehouse is set to twenty, because a restart of the game database delays saving. */
export const SAVE_INTERVAL_S = 20;

/** How many places the network needs: three database nodes, then three instances of the service. */
export const PLACES = 6;
export const firstInstancePlace = 3;

export async function startParts(network?: SplitNetwork): Promise<Parts> {
  await using opening = new AsyncDisposableStack();
  const galera = await startGalera(network?.places.slice(0, firstInstancePlace));
  opening.defer(galera.killAll);
  const redis = await startRedisSentinel();
  opening.defer(redis.kill);
  const mail = await startMailServer();
  opening.defer(mail.stop);
  const games = await startMariadb();
  opening.defer(games.kill);
  const zones = await Promise.all(
    [1, 2].map((serverId) => startZone({ serverId, database: games.url, receipts: true, saveInterval: 2 })),
  );
  opening.defer(async () => void (await Promise.allSettled(zones.map((zone) => zone.stop()))));
  const opened = opening.move();
  return { galera, redis, mail, games, zones, network, close: () => opened.disposeAsync() };
}
