import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type ActorRow, roleOf, savedColumns, savedRow, selectActors } from './actor-rows.ts';
import type { ActorsTable } from './actors-table.ts';

const schema = `
  PRAGMA journal_mode = WAL;
  PRAGMA busy_timeout = 5000;
  CREATE TABLE IF NOT EXISTS actors (
    actorid        INTEGER PRIMARY KEY,
    accountid      INTEGER NOT NULL DEFAULT 0,
    accountname    VARCHAR(80) NOT NULL,
    actorname      VARCHAR(32) NOT NULL,
    serverindex    INTEGER NOT NULL DEFAULT 0,
    level          INTEGER NOT NULL DEFAULT 1,
    circle         INTEGER NOT NULL DEFAULT 0,
    exp            INTEGER NOT NULL DEFAULT 0,
    job            INTEGER NOT NULL DEFAULT 0,
    sex            INTEGER NOT NULL DEFAULT 0,
    bindcoin       INTEGER NOT NULL DEFAULT 0,
    nonbindcoin    INTEGER NOT NULL DEFAULT 0,
    bindyuanbao    INTEGER NOT NULL DEFAULT 0,
    nonbindyuanbao INTEGER NOT NULL DEFAULT 0,
    guildid        INTEGER NOT NULL DEFAULT 0,
    lastloginip    INTEGER NOT NULL DEFAULT 0,
    status         INTEGER NOT NULL DEFAULT 4,
    createtime     DATETIME NOT NULL,
    updatetime     DATETIME NOT NULL
  );
  CREATE INDEX IF NOT EXISTS actors_accountname ON actors (accountname);
  CREATE INDEX IF NOT EXISTS actors_actorname ON actors (actorname);
`;

const saveRole = `
  INSERT INTO actors (${savedColumns.join(', ')}) VALUES (${savedColumns.map(() => '?').join(', ')})
  ON CONFLICT (actorid) DO UPDATE SET ${savedColumns.map((name) => `${name} = excluded.${name}`).join(', ')}
`;

export async function openSqliteActors(options: { folder: string; name: string }): Promise<ActorsTable> {
  mkdirSync(options.folder, { recursive: true });
  const database = new DatabaseSync(join(options.folder, `${options.name}.db`));
  database.exec(schema);
  const insert = database.prepare(saveRole);

  return {
    load: async () =>
      database
        .prepare(selectActors)
        .all()
        .map((row) => roleOf(row as ActorRow)),
    async save(roles) {
      database.exec('BEGIN IMMEDIATE');
      try {
        for (const role of roles) insert.run(...savedRow(role));
        database.exec('COMMIT');
      } catch (error) {
        database.exec('ROLLBACK');
        throw error;
      }
    },
    async remove(roleId) {
      database.prepare('DELETE FROM actors WHERE actorid = ?').run(roleId);
    },
    close: async () => database.close(),
  };
}
