import { DatabaseSync } from 'node:sqlite';
import { createConnection } from 'mysql2/promise';
import { expect, test } from 'vitest';
import { describeOnEngines } from './engines.ts';

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
  test('when databases are asked for, then each is new and empty', async () => {
    const urls = await Promise.all([engine.freshUrl(), engine.freshUrl()]);
    expect(urls[0]).not.toBe(urls[1]);
    for (const url of urls) expect(await tableNames(url)).toEqual([]);
    expect(urls[0]).toMatch(engine.name === 'sqlite' ? /^sqlite:\// : /^mysql:\/\//);
  });
});
