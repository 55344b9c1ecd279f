import { rmSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { makeTemplates } from '../../test-support/migrated-databases.ts';
import { runFolder } from '../../test-support/run-folder.ts';

/** Only the template of SQLite: tests that need a server or a browser are skipped. */
export default async function setUp(project: TestProject) {
  const folder = runFolder();
  project.provide('mariadbUrl', undefined);
  project.provide('redisUrl', undefined);
  project.provide('mariadbTemplate', await makeTemplates(undefined));
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
