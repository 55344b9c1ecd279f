import { createConnection, createPool, type PoolOptions, type RowDataPacket } from 'mysql2/promise';
import { type ActorRow, roleOf, savedColumns, savedRow, selectActors } from './actor-rows.ts';
import type { ActorsTable } from './actors-table.ts';

// The collation that old games were installed with: names compare case-insensitively.
const schema = `
  CREATE TABLE IF NOT EXISTS actors (
    actorid        BIGINT NOT NULL PRIMARY KEY COMMENT 'role id',
    accountid      INT UNSIGNED NOT NULL DEFAULT 0,
    accountname    VARCHAR(80) NOT NULL,
    actorname      VARCHAR(32) NOT NULL,
    serverindex    INT NOT NULL DEFAULT 0,
    level          INT NOT NULL DEFAULT 1,
    circle         INT NOT NULL DEFAULT 0,
    exp            BIGINT NOT NULL DEFAULT 0,
    job            INT NOT NULL DEFAULT 0,
    sex            INT NOT NULL DEFAULT 0,
    bindcoin       BIGINT NOT NULL DEFAULT 0,
    nonbindcoin    BIGINT NOT NULL DEFAULT 0,
    bindyuanbao    BIGINT NOT NULL DEFAULT 0,
    nonbindyuanbao BIGINT NOT NULL DEFAULT 0 COMMENT 'withdrawable currency',
    guildid        INT UNSIGNED NOT NULL DEFAULT 0,
    lastloginip    BIGINT UNSIGNED NOT NULL DEFAULT 0,
    status         INT NOT NULL DEFAULT 4 COMMENT 'bits: 0 deleted, 1 disabled, 2 valid, 3 preferred',
    createtime     DATETIME NOT NULL,
    updatetime     DATETIME NOT NULL COMMENT 'when the game last saved this role',
    KEY actors_accountname (accountname),
    KEY actors_actorname (actorname)
  ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci
`;

const saveRoles = `
  INSERT INTO actors (${savedColumns.join(', ')}) VALUES ?
  ON DUPLICATE KEY UPDATE ${savedColumns.map((name) => `${name} = VALUES(${name})`).join(', ')}
`;

export async function openMysqlActors(options: { url: string; name: string }): Promise<ActorsTable> {
  const server = serverOptions(options.url);
  const connection = await createConnection(server);
  try {
    await connection.query(`CREATE DATABASE IF NOT EXISTS ${options.name} CHARACTER SET utf8mb4`);
  } finally {
    await connection.end();
  }
  // One connection is enough, because saves are serialized; the pool reopens it when the server restarts.
  const pool = createPool({ ...server, database: options.name, connectionLimit: 1 });
  await pool.query(schema);

  return {
    async load() {
      const [rows] = await pool.query<(ActorRow & RowDataPacket)[]>(selectActors);
      return rows.map(roleOf);
    },
    async save(roles) {
      await pool.query(saveRoles, [roles.map((role) => savedRow(role))]);
    },
    async remove(roleId) {
      await pool.query('DELETE FROM actors WHERE actorid = ?', [roleId]);
    },
    close: () => pool.end(),
  };
}

function serverOptions(url: string): PoolOptions {
  const { hostname, port, username, password } = new URL(url);
  return {
    host: hostname,
    port: Number(port || 3306),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    connectTimeout: 3_000,
    dateStrings: true,
  };
}
