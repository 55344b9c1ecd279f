import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { requireExecutable } from './executables.ts';
import { tempDir } from './process.ts';
import { type RestartableServer, startServer } from './server.ts';

export type Nginx = RestartableServer & {
  /** The folder of its files; relative paths in the configuration start here. */
  folder: string;
  /** Loads a new configuration (or the same again) without dropping connections. */
  reload(conf?: string): Promise<void>;
  /** Returns the error log and the access log. */
  logs(): string;
};

/**
 * Starts nginx. `conf` is the content of `http { }`: server and upstream blocks, as in a site's file. Everything nginx writes
 * goes to a temporary folder, nothing to /var.
 */
export async function startNginx({ conf }: { conf: string }): Promise<Nginx> {
  const folder = tempDir('nginx');
  const errorLog = join(folder, 'error.log');
  const pidFile = join(folder, 'nginx.pid');
  const file = join(folder, 'nginx.conf');
  const read = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '');
  const workersStarted = () => read(errorLog).split('start worker process ').length - 1;
  writeFileSync(file, wholeConfiguration(conf));

  // The log outlives a restart: ready means that it shows a worker of the new process.
  let earlierWorkers = 0;
  const server = await startServer({
    command: requireExecutable('nginx'),
    args: ['-p', folder, '-e', errorLog, '-c', file, '-g', 'daemon off;'],
    ready: () => existsSync(pidFile) && workersStarted() > earlierWorkers,
  });

  const startAgain = server.restart;
  return Object.assign(server, {
    folder,
    async restart() {
      await server.stop();
      earlierWorkers = workersStarted();
      await startAgain();
    },
    async reload(next: string = conf) {
      writeFileSync(file, wholeConfiguration(next));
      const before = { workers: workersStarted(), log: read(errorLog).length };
      process.kill(server.pid, 'SIGHUP');
      for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(10)) {
        if (workersStarted() > before.workers) return;
        const complaint = /\[emerg\].*/.exec(read(errorLog).slice(before.log));
        if (complaint) throw new Error(`nginx refused the configuration: ${complaint[0]}`);
      }
      throw new Error(`nginx did not reload\n${read(errorLog)}`);
    },
    logs: () => read(errorLog) + read(join(folder, 'access.log')),
  });
}

function wholeConfiguration(http: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return [
    // The temporary folder is readable by its owner only, so the workers run as that owner.
    process.getuid?.() === 0 ? 'user root;' : '',
    'worker_processes 1;',
    'pid nginx.pid;',
    'error_log error.log notice;',
    'events { worker_connections 4096; }',
    'http {',
    'access_log access.log;',
    ...temporary.map((kind) => `${kind}_temp_path ${kind}_temp;`),
    http,
    '}',
  ].join('\n');
}
