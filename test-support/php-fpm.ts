import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MissingProgram, systemFolders } from './executables.ts';
import { tempDir } from './process.ts';
import { type RestartableServer, startServer } from './server.ts';

export type PhpFpm = RestartableServer & {
  /** For `fastcgi_pass`. */
  socket: string;
};

/** Debian names the program after its version, such as php-fpm8.2. Returns the newest. */
export function findPhpFpm(): string | undefined {
  return systemFolders
    .flatMap((folder) => globSync(join(folder, 'php-fpm*')))
    .sort()
    .at(-1);
}

export interface PhpFpmOptions {
  /** Added to the environment of the scripts. */
  env?: NodeJS.ProcessEnv;
  /** Settings of php.ini, each as name=value. */
  settings?: readonly string[];
  /** A script that runs before each script. */
  prepend?: string;
}

const WORKERS = 8;

/** Starts php-fpm with a fixed number of workers. */
export async function startPhpFpm({ env, settings = [], prepend }: PhpFpmOptions): Promise<PhpFpm> {
  const command = findPhpFpm();
  if (command === undefined) throw new MissingProgram('php-fpm');
  const folder = tempDir('php-fpm');
  const socket = join(folder, 'php.sock');
  const file = join(folder, 'php-fpm.conf');
  const isRoot = process.getuid?.() === 0;
  const conf = [
    '[global]',
    `error_log = ${join(folder, 'error.log')}`,
    'daemonize = no',
    '[platform]',
    `listen = ${socket}`,
    'listen.backlog = 1024',
    'pm = static',
    `pm.max_children = ${WORKERS}`,
    'clear_env = no',
    'catch_workers_output = yes',
    ...(prepend === undefined ? [] : [`php_admin_value[auto_prepend_file] = ${prepend}`]),
    // The socket is in a folder that only its owner can read, so the workers run as that owner.
    ...(isRoot ? ['user = root', 'group = root'] : []),
  ];
  writeFileSync(file, `${conf.join('\n')}\n`);
  const server = await startServer({
    command,
    args: [
      '--fpm-config',
      file,
      '--nodaemonize',
      '--force-stderr',
      ...(isRoot ? ['--allow-to-run-as-root'] : []),
      ...settings.flatMap((each) => ['-d', each]),
    ],
    env: { ...process.env, ...env },
    ready: (output) => output.includes('ready to handle connections'),
  });
  return Object.assign(server, { socket });
}
