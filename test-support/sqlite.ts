import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from './run-folder.ts';

/** Path of the migrated, empty database of the run, which every test process inherits in its environment. */
export const SQLITE_TEMPLATE = 'TEST_SQLITE_TEMPLATE';

/** Returns the URL of a new database, migrated and empty. Outside a test run it is a file that does not exist yet. */
export function freshSqlite(folder = tempDir('sqlite')): string {
  const file = join(folder, 'gatehouse.db');
  const template = process.env[SQLITE_TEMPLATE];
  if (template !== undefined) copyFileSync(template, file);
  return `sqlite:${file}`;
}
