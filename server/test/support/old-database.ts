import { type Connection, createConnection } from 'mysql2/promise';
import { onTestFinished } from 'vitest';
import { createDatabase } from '../../../test-support/mariadb.ts';
import { sharedMariadbUrl } from '../../../test-support/shared-servers.ts';

export interface OldDatabase {
  readonly url: string;
  readonly connection: Connection;
}

/** Creates a database of the old generation with these statements. */
export async function oldDatabase(...statements: string[]): Promise<OldDatabase> {
  const url = await createDatabase(sharedMariadbUrl());
  const connection = await createConnection(url);
  onTestFinished(() => connection.end());
  for (const statement of statements) await connection.query(statement);
  return { url, connection };
}
