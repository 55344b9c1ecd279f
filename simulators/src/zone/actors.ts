import { openMysqlActors } from './actors-mysql.ts';
import { openSqliteActors } from './actors-sqlite.ts';
import type { ActorsTable } from './actors-table.ts';

/** Opens `mir_actor_s{serverId}`, creating it if missing, in a SQLite folder or on a MySQL-like server. */
export async function openActors(options: { database: string; serverId: number }): Promise<ActorsTable> {
  const { database, serverId } = options;
  const name = `mir_actor_s${serverId}`;
  if (database.startsWith('sqlite:'))
    return openSqliteActors({ folder: database.slice('sqlite:'.length), name });
  if (database.startsWith('mysql://')) return openMysqlActors({ url: database, name });
  throw new Error('a game database is sqlite:FOLDER or mysql://user:password@host:port');
}
