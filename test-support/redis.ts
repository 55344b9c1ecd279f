import { requireExecutable } from './executables.ts';
import { freePort, tempDir } from './process.ts';
import { answers, type RestartableServer, startServer } from './server.ts';

export type Redis = RestartableServer & { url: string; port: number };

/** Persists nothing: a restart comes up empty, like a lost Redis. */
export async function startRedis(
  options: {
    port?: number;
    /** A further loopback address, at which replicas and sentinels use it. */
    host?: string;
    replicaOf?: number;
  } = {},
): Promise<Redis> {
  const { host = '127.0.0.1' } = options;
  const port = options.port ?? (await freePort());
  const server = await startServer({
    command: requireExecutable('redis-server'),
    args: [
      ...['--port', String(port)],
      ...['--bind', ...new Set(['127.0.0.1', host])],
      // Otherwise it refuses clients that are in another network namespace.
      ...['--protected-mode', 'no'],
      ...['--dir', tempDir('redis')],
      ...['--save', ''],
      ...['--appendonly', 'no'],
      // Copy to a replica immediately, instead of waiting five seconds for others that need the same copy.
      ...['--repl-diskless-sync-delay', '0'],
      ...(options.replicaOf === undefined ? [] : ['--replicaof', `${host} ${options.replicaOf}`]),
      ...['--replica-announce-ip', host],
    ],
    ready: () => answers(port, 'PING\r\n', '+PONG'),
  });
  return Object.assign(server, { url: `redis://127.0.0.1:${port}`, port });
}
