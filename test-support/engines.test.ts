import { DatabaseSync } from 'node:sqlite';
import { createConnection } from 'mysql2/promise';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '../server/src/db/migrate.ts';
import { openDatabase } from '../server/src/db/open.ts';
import { describeOnEngines } from './engines.ts';
import { executeAt } from './mariadb.ts';

async function tableNames(url: string): Promise<unknown[]> {
  if (url.startsWith('sqlite:')) {
    const database = new DatabaseSync(url.slice('sqlite:'.length));
    return database.prepare('SELECT name FROM sqlite_schema').all();
  }
  const connection = await createConnection(url);
  const [rows] = await connection.query('SHOW TABLES');
  await connection.end();
  return Array.isArray(rows) ? rows : [rows];
}

describeOnEngines('an engine', (engine) => {
  test('when databases are created, then each is new and empty', async () => {
    const urls = await Promise.all([engine.emptyUrl(), engine.emptyUrl()]);
    expect(urls[0]).not.toBe(urls[1]);
    for (const url of urls) expect(await tableNames(url)).toEqual([]);
    expect(urls[0]).toMatch(engine.name === 'sqlite' ? /^sqlite:\// : /^mysql:\/\//);
  });

  test('when a migrated database is created, then its tables are those that migrating makes', async () => {
    const [copied, empty] = await Promise.all([engine.freshUrl(), engine.emptyUrl()]);
    await migrateAt(empty);
    expect(await migrateAt(copied)).toEqual({ applied: [] });
    const definitions = await Promise.all([copied, empty].map(definitionsIn));
    expect(definitions[0]?.length).toBeGreaterThan(20);
    expect(definitions[0]).toEqual(definitions[1]);
  });
});

async function migrateAt(url: string): Promise<{ applied: string[] }> {
  const db = await openDatabase(url);
  onTestFinished(() => db.close());
  return migrate(db);
}

async function definitionsIn(url: string): Promise<unknown[]> {
  if (url.startsWith('sqlite:'))
    return new DatabaseSync(url.slice('sqlite:'.length))
      .prepare('SELECT name, sql FROM sqlite_schema ORDER BY name')
      .all();
  const tables = (await tableNames(url)).flatMap((row) => Object.values(row as object));
  return Promise.all(tables.map((table) => executeAt(url, `SHOW CREATE TABLE \`${table}\``)));
}
