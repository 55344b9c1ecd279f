import { join } from 'node:path';
import { describe, inject } from 'vitest';
import { createDatabase } from './mariadb.ts';
import { freshMariadb } from './migrated-databases.ts';
import { tempDir } from './process.ts';
import { sharedMariadbUrl } from './shared-servers.ts';
import { freshSqlite } from './sqlite.ts';

export type Engine = {
  name: 'sqlite' | 'mariadb';
  /** Returns the URL of a new database on this engine, migrated and empty. */
  freshUrl(): Promise<string>;
  /** Same without tables. */
  emptyUrl(): Promise<string>;
};

const engines: Engine[] = [
  {
    name: 'sqlite',
    freshUrl: async () => freshSqlite(),
    emptyUrl: async () => `sqlite:${join(tempDir('sqlite'), 'gatehouse.db')}`,
  },
  {
    name: 'mariadb',
    freshUrl: freshMariadbUrl,
    emptyUrl: () => createDatabase(sharedMariadbUrl()),
  },
];

/** For tests of what only MariaDB does. */
export function freshMariadbUrl(): Promise<string> {
  return freshMariadb(inject('mariadbTemplate'), sharedMariadbUrl());
}

/** For suites whose SQL can differ between engines (locks, upserts, times, collations, plans): runs the suite on each. */
export function describeOnEngines(title: string, suite: (engine: Engine) => void): void {
  // The second pass of the slow tier repeats only `describeByTier`.
  if (process.env.TEST_ENGINE !== undefined) return;
  describeOn(engines, title, suite);
}

/**
 * For suites about rules and HTTP, whose statements other suites run on both engines: SQLite in the first tier, MariaDB in the
 * slow one. Outside the tiers it runs on each.
 */
export function describeByTier(title: string, suite: (engine: Engine) => void): void {
  const name = process.env.TEST_ENGINE ?? (process.env.TEST_TIER === 'first' ? 'sqlite' : undefined);
  describeOn(name === undefined ? engines : engines.filter((engine) => engine.name === name), title, suite);
}

function describeOn(chosen: readonly Engine[], title: string, suite: (engine: Engine) => void): void {
  for (const engine of chosen) describe(`${title} (${engine.name})`, () => suite(engine));
}
