import { join } from 'node:path';
import { describe, inject } from 'vitest';
import { createDatabase } from './mariadb.ts';
import { tempDir } from './process.ts';

export type Engine = {
  name: 'sqlite' | 'mariadb';
  /** The URL of a new, empty database on this engine. */
  freshUrl(): Promise<string>;
};

const engines: Engine[] = [
  { name: 'sqlite', freshUrl: async () => `sqlite:${join(tempDir('sqlite'), 'gatehouse.db')}` },
  { name: 'mariadb', freshUrl: () => createDatabase(inject('mariadbUrl')) },
];

/** Every rule about storage must hold on both engines: the suite runs once on each. */
export function describeOnEngines(title: string, suite: (engine: Engine) => void): void {
  for (const engine of engines) describe(`${title} (${engine.name})`, () => suite(engine));
}
