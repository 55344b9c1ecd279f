import { startZone, type Zone } from '@gatehouse/simulators/zone';
import { type Galera, startGalera } from '../../../test-support/galera.ts';
import { type Mariadb, startMariadb } from '../../../test-support/mariadb.ts';
import { type RedisSentinel, startRedisSentinel } from '../../../test-support/redis-sentinel.ts';
import { type MailServer, startMailServer } from './mail-server.ts';

/** Everything the service depends on, real and breakable. */
export interface Parts {
  readonly galera: Galera;
  readonly redis: RedisSentinel;
  readonly mail: MailServer;
  /** Server of the game databases. */
  readonly games: Mariadb;
  readonly zones: readonly Zone[];
  close(): Promise<void>;
}

/** The game saves every two seconds; Gatehouse is set to twenty, because a restart of the game database delays saving. */
export const SAVE_INTERVAL_S = 20;

export async function startParts(): Promise<Parts> {
  await using opening = new AsyncDisposableStack();
  const galera = await startGalera();
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
  return { galera, redis, mail, games, zones, close: () => opened.disposeAsync() };
}
