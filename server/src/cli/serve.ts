import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Command } from 'commander';
import { DatabaseUnavailable } from '../db/errors.ts';
import { BadSettings } from '../settings/bad-settings.ts';
import { loadSettings, settingsFile } from '../settings/load.ts';
import { command, type Options, positive } from './context.ts';
import { fail } from './output.ts';

const DRAIN_MS = 2_000;

export function serveCommand(): Command {
  return command('serve')
    .option('--workers <n>', 'number of processes that share the port', positive, 1)
    .action(async ({ config, workers }: Options & { readonly workers: number }) => {
      const file = settingsFile(config);
      if (cluster.isWorker) return serve(file).catch(failAndExit);
      if (workers === 1) return serve(file);
      const settings = loadSettings(file);
      const { superviseWorkers } = await import('./workers.ts');
      process.exit(await superviseWorkers(workers, settings));
    });
}

async function serve(file: string | undefined): Promise<void> {
  const settings = loadSettings(file);
  // Only `serve` needs the whole service loaded.
  const { startService } = await import('../main.ts');
  const { isWorker } = cluster;
  const othersTakeOver = isWorker || settings.trust_proxy.length > 0;
  const service = await startService({
    settings,
    settingsFile: file,
    isWorker,
    drainMs: othersTakeOver ? DRAIN_MS : 0,
  }).catch((error) => {
    throw startFailure(error, settings.port);
  });

  let stopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      service.stop().then(disconnectAndExit).catch(failAndExit);
    });
  }
}

/**
 * Disconnects a worker before it exits: the primary process may just have handed it a connection, and passes that to another
 * worker only after a disconnect.
 */
async function disconnectAndExit(): Promise<never> {
  if (cluster.worker?.isConnected()) {
    const disconnected = once(process, 'disconnect');
    cluster.worker.disconnect();
    await disconnected;
  }
  process.exit(0);
}

/** Exits explicitly: the IPC channel to the primary process keeps a worker alive. */
function failAndExit(error: unknown): never {
  fail(error);
  process.exit(1);
}

/** Names the setting that caused a failed start, and the fix. */
function startFailure(error: unknown, port: number): unknown {
  if (error instanceof DatabaseUnavailable) {
    return new BadSettings([
      { setting: 'database.url', message: `${error.message}; start the database or correct the URL` },
    ]);
  }
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return new BadSettings([
      { setting: 'port', message: `${port} is in use; stop the process that uses it or choose another port` },
    ]);
  if (code === 'EACCES')
    return new BadSettings([
      { setting: 'port', message: `this user does not have permission to listen on ${port}` },
    ]);
  if (code === 'EADDRNOTAVAIL')
    return new BadSettings([{ setting: 'host', message: 'is not an address of this machine' }]);
  return error;
}
