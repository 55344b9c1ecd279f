import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireExecutable } from './executables.ts';
import { freePort, tempDir } from './process.ts';
import { type Redis, startRedis } from './redis.ts';
import { answers, ask, type RestartableServer, startServer } from './server.ts';

export type RedisSentinel = {
  /** redis+sentinel://host:port,host:port,host:port/name */
  readonly url: string;
  readonly servers: readonly Redis[];
  readonly sentinels: readonly RestartableServer[];
  /** The server that the sentinels say is the master. */
  master(): Promise<Redis>;
  kill(): Promise<void>;
};

const NAME = 'gatehouse';

/** A master, a replica, and three sentinels who replace a master that is silent for a second. */
export async function startRedisSentinel(): Promise<RedisSentinel> {
  const first = await startRedis();
  const second = await startRedis({ replicaOf: first.port });
  const servers = [first, second];
  const ports = await Promise.all([1, 2, 3].map(() => freePort()));
  const sentinels = await Promise.all(ports.map((port) => startSentinel(port, first.port)));

  return {
    url: `redis+sentinel://${ports.map((port) => `127.0.0.1:${port}`).join(',')}/${NAME}`,
    servers,
    sentinels,
    async master() {
      for (const port of ports) {
        const answer = await ask(port, `SENTINEL get-master-addr-by-name ${NAME}\r\n`);
        const master = servers.find((server) => answer.includes(`\r\n${server.port}\r\n`));
        if (master !== undefined) return master;
      }
      throw new Error('no sentinel names a master');
    },
    async kill() {
      await Promise.all([...sentinels, ...servers].map((server) => server.kill()));
    },
  };
}

/** Sentinels find each other, and rewrite their file, through the master. */
async function startSentinel(port: number, master: number): Promise<RestartableServer> {
  const folder = tempDir('sentinel');
  const file = join(folder, 'sentinel.conf');
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${folder}`,
    `sentinel monitor ${NAME} 127.0.0.1 ${master} 2`,
    `sentinel down-after-milliseconds ${NAME} 1000`,
    `sentinel failover-timeout ${NAME} 3000`,
  ];
  writeFileSync(file, lines.join('\n'));
  return startServer({
    command: requireExecutable('redis-server'),
    args: [file, '--sentinel'],
    ready: () => answers(port, 'PING\r\n', '+PONG'),
  });
}
