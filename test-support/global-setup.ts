import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { BROWSER_URL } from '../web/test/browser.ts';
import { bundledService } from './bundle.ts';
import { SERVICE_BUNDLE } from './gatehouse.ts';
import { startMariadb } from './mariadb.ts';
import { makeTemplates } from './migrated-databases.ts';
import { type RunningProcess, startProcess } from './process.ts';
import { missingPrograms } from './programs.ts';
import { startRedis } from './redis.ts';
import { runFolder } from './run-folder.ts';
import './shared-servers.ts';

/** The shared server is never killed, so it need not survive a crash. Private servers sync as in production. */
const withoutSyncing = [
  '--innodb-flush-log-at-trx-commit=0',
  '--innodb-flush-method=nosync',
  '--innodb-doublewrite=OFF',
  '--sync-frm=OFF',
  // One file per table of every test would be half the work of creating them.
  '--innodb-file-per-table=OFF',
];

/**
 * Starts the servers shared by the whole run. TEST_WITHOUT names the programs that cannot be installed here; any other missing
 * program fails the run.
 */
export default async function startSharedServers(project: TestProject) {
  const folder = runFolder();
  const left = new Set((process.env.TEST_WITHOUT ?? '').split(',').filter((name) => name !== ''));
  const missing = missingPrograms().filter((name) => !left.has(name));
  if (missing.length > 0)
    throw new Error(`${missing.join(', ')} not installed: run "node scripts/setup.ts" first`);

  const [bundle, mariadb, redis, browser] = await Promise.all([
    bundledService(),
    left.has('mariadbd') ? undefined : startMariadb({ args: withoutSyncing }),
    left.has('redis-server') ? undefined : startRedis(),
    // Few files need it if vitest is called directly, and those start their own.
    left.has('chromium') || process.env.TEST_TIER === undefined ? undefined : startBrowser(),
  ]);
  process.env[SERVICE_BUNDLE] = bundle;
  project.provide('mariadbUrl', mariadb?.url);
  project.provide('redisUrl', redis?.url);
  project.provide('mariadbTemplate', await makeTemplates(mariadb?.url));
  const started = {
    ...(mariadb && { MariaDB: `port ${mariadb.port}` }),
    ...(redis && { Redis: `port ${redis.port}` }),
    ...(browser && { Chromium: `process ${browser.pid}` }),
  };
  const names = Object.entries(started).map(([name, where]) => `${name} (${where})`);
  console.log(
    `servers: SQLite${names.map((name) => `, ${name}`).join('')}; others start and end with their test`,
  );

  return async () => {
    await Promise.all([mariadb?.kill(), redis?.kill(), browser?.kill()]);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
}

/** Starts the run's browser and passes its address to the test processes in their environment. */
async function startBrowser(): Promise<RunningProcess> {
  let url: string | undefined;
  const browser = await startProcess({
    command: process.execPath,
    args: [join(import.meta.dirname, '../web/test/browser-server.ts')],
    ready: (output) => {
      url = /^ws:\S+/m.exec(output)?.[0];
      return url !== undefined;
    },
  });
  process.env[BROWSER_URL] = url;
  return browser;
}
