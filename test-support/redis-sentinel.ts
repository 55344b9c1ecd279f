import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { requireExecutable } from './executables.ts';
import { freePort, tempDir } from './process.ts';
import { type Redis, startRedis } from './redis.ts';
import { answers, ask, type RestartableServer, startServer } from './server.ts';

export type RedisSentinel = {
  /** redis+sentinel://host:port,host:port,host:port/name */
  readonly url: string;
  readonly servers: readonly Redis[];
  readonly sentinels: readonly RestartableServer[];
  /** Returns the server that all sentinels consider the master; waits while they disagree. */
  master(): Promise<Redis>;
  kill(): Promise<void>;
};

const NAME = 'gatehouse';
/** Both servers are at an address of their own, so that a client can be cut off from them and not from the sentinels. */
export const REDIS_HOST = '127.0.7.1';
const POLL_MS = 50;

/**
 * A new master counts as silent until a sentinel has connected to it and got a first answer. With the default periods of one
 * second that can take longer than `down-after`, and the other sentinels' verdicts on the old master stay valid for five times
 * `ask-period`: the old master, just back, was promoted again. So connections are tried many times within `down-after`, and
 * verdicts on the old master expire before the new one can seem down.
 */
const DOWN_AFTER_MS = 2000;
const periods = {
  'ping-period': 200,
  'ask-period': 200,
  'publish-period': 500,
  'info-period': 1000,
  // A sentinel that was itself suspended takes no decisions for this long.
  'tilt-period': 3000,
};

/** Starts a master, a replica, and three sentinels that replace a master silent for two seconds. */
export async function startRedisSentinel(): Promise<RedisSentinel> {
  const first = await startRedis({ host: REDIS_HOST });
  const second = await startRedis({ host: REDIS_HOST, replicaOf: first.port });
  const servers = [first, second];
  const ports = await Promise.all([1, 2, 3].map(() => freePort()));
  const sentinels = await Promise.all(
    ports.map((port) => startSentinel(port, { host: REDIS_HOST, port: first.port })),
  );
  while (!(await Promise.all(ports.map(knowsAll))).every(Boolean)) await sleep(POLL_MS);

  return {
    url: `redis+sentinel://${ports.map((port) => `127.0.0.1:${port}`).join(',')}/${NAME}`,
    servers,
    sentinels,
    async master() {
      for (;;) {
        const named = new Set(
          (await Promise.all(ports.map(masterPort))).filter((port) => port !== undefined),
        );
        if (named.size === 0) throw new Error('no sentinel names a master');
        const [master] = servers.filter(({ port }) => named.has(port));
        if (named.size === 1 && master !== undefined) return master;
        await sleep(POLL_MS);
      }
    },
    async kill() {
      await Promise.all([...sentinels, ...servers].map((server) => server.kill()));
    },
  };
}

/** Starts one sentinel, which names a master and never replaces it. Returns its redis+sentinel address. */
export async function startLoneSentinel(master: number): Promise<RestartableServer & { url: string }> {
  const port = await freePort();
  return {
    ...(await startSentinel(port, { host: '127.0.0.1', port: master })),
    url: `redis+sentinel://127.0.0.1:${port}/${NAME}`,
  };
}

/** Starts a sentinel. Sentinels discover each other through the master and rewrite their file. */
async function startSentinel(
  port: number,
  master: { host: string; port: number },
): Promise<RestartableServer> {
  const folder = tempDir('sentinel');
  const file = join(folder, 'sentinel.conf');
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${folder}`,
    `sentinel monitor ${NAME} ${master.host} ${master.port} 2`,
    `sentinel down-after-milliseconds ${NAME} ${DOWN_AFTER_MS}`,
    `sentinel failover-timeout ${NAME} 3000`,
  ];
  writeFileSync(file, lines.join('\n'));
  // The periods cannot be set in the file, so every start sets them.
  const setPeriods = `SENTINEL DEBUG ${Object.entries(periods).flat().join(' ')}\r\n`;
  return startServer({
    command: requireExecutable('redis-server'),
    args: [file, '--sentinel'],
    ready: () => answers(port, setPeriods, '+OK'),
  });
}

/** Reports whether a sentinel could take part in a failover: it reaches the master, a replica in sync, and both others. */
async function knowsAll(port: number): Promise<boolean> {
  const [masters, replicas, others] = await Promise.all(
    ['masters', `replicas ${NAME}`, `sentinels ${NAME}`].map((what) => ask(port, `SENTINEL ${what}\r\n`)),
  );
  return (
    valuesOf(masters, 'flags') === 'master' &&
    valuesOf(replicas, 'flags') === 'slave' &&
    valuesOf(replicas, 'master-link-status') === 'ok' &&
    valuesOf(others, 'flags') === 'sentinel,sentinel'
  );
}

/** Returns a field's value in each entry of a RESP answer, in which names and values alternate, each after its length. */
function valuesOf(answer = '', field: string): string {
  const lines = answer.split('\r\n');
  return lines.filter((_, index) => lines[index - 2] === field).join();
}

async function masterPort(sentinel: number): Promise<number | undefined> {
  const answer = await ask(sentinel, `SENTINEL get-master-addr-by-name ${NAME}\r\n`).catch(() => '');
  const [, , , , port] = answer.split('\r\n');
  return port === undefined ? undefined : Number(port);
}
