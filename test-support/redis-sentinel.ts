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
  /** The server that all sentinels say is the master; waits while they disagree. */
  master(): Promise<Redis>;
  kill(): Promise<void>;
};

const NAME = 'gatehouse';
const POLL_MS = 50;

/**
 * A new master counts as silent until a sentinel has connected to it and heard a first answer. With the usual periods of one
 * second that can take longer than `down-after`, and what the other sentinels said of the old master still counts as their
 * opinion for five times `ask-period`: the old master, just back, was made master again. So a connection is tried many times
 * within `down-after`, and opinions of the old master are forgotten before the new one can seem down.
 */
const DOWN_AFTER_MS = 2000;
const periods = {
  'ping-period': 200,
  'ask-period': 200,
  'publish-period': 500,
  'info-period': 1000,
  // A sentinel that was itself held up decides nothing for so long.
  'tilt-period': 3000,
};

/** A master, a replica, and three sentinels who know each other and replace a master that is silent for two seconds. */
export async function startRedisSentinel(): Promise<RedisSentinel> {
  const first = await startRedis();
  const second = await startRedis({ replicaOf: first.port });
  const servers = [first, second];
  const ports = await Promise.all([1, 2, 3].map(() => freePort()));
  const sentinels = await Promise.all(ports.map((port) => startSentinel(port, first.port)));
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

/** Sentinels find each other, and rewrite their file, through the master. */
async function startSentinel(port: number, master: number): Promise<RestartableServer> {
  const folder = tempDir('sentinel');
  const file = join(folder, 'sentinel.conf');
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${folder}`,
    `sentinel monitor ${NAME} 127.0.0.1 ${master} 2`,
    `sentinel down-after-milliseconds ${NAME} ${DOWN_AFTER_MS}`,
    `sentinel failover-timeout ${NAME} 3000`,
  ];
  writeFileSync(file, lines.join('\n'));
  // The periods have no place in the file, so every start sets them anew.
  const setPeriods = `SENTINEL DEBUG ${Object.entries(periods).flat().join(' ')}\r\n`;
  return startServer({
    command: requireExecutable('redis-server'),
    args: [file, '--sentinel'],
    ready: () => answers(port, setPeriods, '+OK'),
  });
}

/** Whether a sentinel could take part in a failover now: it reaches the master, a replica in sync, and both others. */
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

/** What a field says in each entry of an answer, in which names and values alternate, each after a line with its length. */
function valuesOf(answer = '', field: string): string {
  const lines = answer.split('\r\n');
  return lines.filter((_, index) => lines[index - 2] === field).join();
}

async function masterPort(sentinel: number): Promise<number | undefined> {
  const answer = await ask(sentinel, `SENTINEL get-master-addr-by-name ${NAME}\r\n`).catch(() => '');
  const [, , , , port] = answer.split('\r\n');
  return port === undefined ? undefined : Number(port);
}
