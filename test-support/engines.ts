import { join } from 'node:path';
import { describe, inject } from 'vitest';
import { createDatabase } from './mariadb.ts';
import { copyOnMariadb, copyOnSqlite } from './migrated-databases.ts';
import { tempDir } from './process.ts';
import { sharedMariadbUrl } from './shared-servers.ts';

export type Engine = {
  name: 'sqlite' | 'mariadb';
  /** The URL of a new database on this engine, with every table and nothing in them. */
  freshUrl(): Promise<string>;
  /** The same without tables. */
  emptyUrl(): Promise<string>;
};

const engines: Engine[] = [
  {
    name: 'sqlite',
    freshUrl: () => copyOnSqlite(inject('templates')),
    emptyUrl: async () => `sqlite:${join(tempDir('sqlite'), 'gatehouse.db')}`,
  },
  {
    name: 'mariadb',
    freshUrl: () => copyOnMariadb(inject('templates'), sharedMariadbUrl()),
    emptyUrl: () => createDatabase(sharedMariadbUrl()),
  },
];

/** Every rule about storage must hold on both engines: the suite runs once on each. */
export function describeOnEngines(title: string, suite: (engine: Engine) => void): void {
  for (const engine of engines) describe(`${title} (${engine.name})`, () => suite(engine));
}
