import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { cp, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createConnection } from 'mysql2/promise';
import { requireExecutable } from './executables.ts';
import { freePort, tempDir } from './process.ts';
import { runFolder } from './run-folder.ts';
import { type RestartableServer, startServer } from './server.ts';

export type MariadbOptions = {
  /** Further arguments; a function is called at each start. */
  args?: string[] | (() => Promise<string[]>);
  port?: number;
  /** The address it listens at, 127.0.0.1 by default. */
  host?: string;
  /** The network namespace it runs in. */
  namespace?: string | undefined;
  dataDir?: string;
  password?: string;
  env?: NodeJS.ProcessEnv;
  ready?: (url: string) => Promise<boolean>;
};

export type Mariadb = RestartableServer & {
  /** mysql://user:password@127.0.0.1:port, without a database name. */
  url: string;
  port: number;
  dataDir: string;
  /** Creates an empty database and returns its URL. */
  createDatabase(name?: string): Promise<string>;
  /** Runs statements as a user with all privileges. */
  execute(sql: string): Promise<unknown>;
};

const asRoot = process.getuid?.() === 0 ? ['--user=root'] : [];
const logSize = '--innodb-log-file-size=16M';

export async function startMariadb(options: MariadbOptions = {}): Promise<Mariadb> {
  const port = options.port ?? (await freePort());
  const dataDir = options.dataDir ?? join(tempDir('mariadb'), 'data');
  if (!existsSync(dataDir)) await copyFolder(await templateFolder(), dataDir);
  const folder = dirname(dataDir);
  const password = options.password ?? randomBytes(12).toString('hex');
  const { args: further = [], ready = isUsable, host = '127.0.0.1', namespace } = options;
  const initFile = join(folder, `init-${port}.sql`);
  await writeFile(initFile, userStatements(password));
  const url = `mysql://gatehouse:${password}@${host}:${port}`;

  const server = await startServer(async () => ({
    command: requireExecutable(namespace === undefined ? 'mariadbd' : 'ip'),
    args: [
      ...(namespace === undefined ? [] : ['netns', 'exec', namespace, requireExecutable('mariadbd')]),
      ...storageArgs(dataDir),
      `--tmpdir=${folder}`,
      `--socket=${join(folder, `${port}.sock`)}`,
      `--pid-file=${join(folder, `${port}.pid`)}`,
      `--init-file=${initFile}`,
      `--port=${port}`,
      `--bind-address=${host}`,
      '--skip-name-resolve',
      '--character-set-server=utf8mb4',
      '--innodb-flush-log-at-trx-commit=1',
      '--innodb-buffer-pool-size=32M',
      '--performance-schema=OFF',
      '--max-connections=500',
      ...(typeof further === 'function' ? await further() : further),
    ],
    ...(options.env && { env: options.env }),
    ready: () => ready(url),
    deadlineMs: 60_000,
  }));

  return Object.assign(server, {
    url,
    port,
    dataDir,
    createDatabase: (name?: string) => createDatabase(url, name),
    execute: (sql: string) => executeAt(url, sql),
  });
}

export async function createDatabase(serverUrl: string, name = randomName()): Promise<string> {
  await executeAt(serverUrl, `CREATE DATABASE \`${name}\` CHARACTER SET utf8mb4`);
  return `${serverUrl}/${name}`;
}

/** Arguments for every start of a server on this data. */
export function storageArgs(dataDir: string): string[] {
  return ['--no-defaults', ...asRoot, `--datadir=${dataDir}`, logSize];
}

async function isUsable(url: string): Promise<boolean> {
  await executeAt(url, 'DO 1');
  return true;
}

export async function executeAt(url: string, sql: string): Promise<unknown> {
  const connection = await createConnection({ uri: url, multipleStatements: true, connectTimeout: 5000 });
  try {
    const [result] = await connection.query(sql);
    return result;
  } finally {
    await connection.end();
  }
}

function randomName(): string {
  return `test_${randomBytes(6).toString('hex')}`;
}

/** Statements of the init file, which runs at every start before the first connection. */
function userStatements(password: string): string {
  return [
    // A cluster node creates its own user without replicating it.
    'SET SESSION wsrep_on = OFF;',
    `CREATE USER IF NOT EXISTS gatehouse@'%' IDENTIFIED BY '${password}';`,
    `ALTER USER gatehouse@'%' IDENTIFIED BY '${password}';`,
    `GRANT ALL PRIVILEGES ON *.* TO gatehouse@'%' WITH GRANT OPTION;`,
  ].join('\n');
}

/** Creates the data folder once per run; further servers copy it, which saves a second each. */
async function templateFolder(): Promise<string> {
  const template = join(runFolder(), 'mariadb-template');
  if (existsSync(template)) return template;
  const folder = tempDir('mariadb-template');
  const draft = join(folder, 'data');
  await promisify(execFile)(
    requireExecutable('mariadb-install-db'),
    ['--no-defaults', ...asRoot, `--datadir=${draft}`, '--skip-test-db', logSize],
    // A starting server deletes the temporary tables in its folder, even another server's in a shared /tmp.
    { env: { ...process.env, TMPDIR: folder } },
  );
  // Two workers may race here: the rename publishes the template atomically, and the second one is discarded.
  await rename(draft, template).catch((error: unknown) => {
    if (!existsSync(template)) throw error;
  });
  return template;
}

function copyFolder(from: string, to: string): Promise<void> {
  return cp(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE });
}
