import { rmSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { startMariadb } from './mariadb.ts';
import { makeTemplates, type Templates } from './migrated-databases.ts';
import { startRedis } from './redis.ts';
import { runFolder } from './run-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The run's shared MariaDB, without a database name. Make a database of your own; do not stop it. */
    mariadbUrl: string;
    /** The run's shared Redis. Use keys of your own; do not flush it. */
    redisUrl: string;
    templates: Templates;
  }
}

/** Nobody kills the shared server, so nothing in it has to outlive a crash. A private one writes as in production. */
const withoutSyncing = [
  '--innodb-flush-log-at-trx-commit=0',
  '--innodb-flush-method=nosync',
  '--innodb-doublewrite=OFF',
  '--sync-frm=OFF',
  // A file for each of the tables of every test would be half the work of making them.
  '--innodb-file-per-table=OFF',
];

export default async function startSharedServers(project: TestProject) {
  const folder = runFolder();
  const [mariadb, redis] = await Promise.all([startMariadb({ args: withoutSyncing }), startRedis()]);
  project.provide('mariadbUrl', mariadb.url);
  project.provide('redisUrl', redis.url);
  project.provide('templates', await makeTemplates(mariadb.url));

  return async () => {
    await Promise.all([mariadb.kill(), redis.kill()]);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
}
