import { onTestFinished } from 'vitest';
import type { Engine } from '../../../test-support/engines.ts';
import type { DatabaseLimits } from '../../src/db/limits.ts';
import { migrate } from '../../src/db/migrate.ts';
import { type Db, openDatabase } from '../../src/db/open.ts';

/** Opens a database that is closed after the test. */
export async function opened(url: string, limits?: Partial<DatabaseLimits>): Promise<Db> {
  const db = await openDatabase(url, limits);
  onTestFinished(() => db.close());
  return db;
}

export async function migratedAt(url: string, limits?: Partial<DatabaseLimits>): Promise<Db> {
  const db = await opened(url, limits);
  await migrate(db);
  return db;
}

export async function migrated(engine: Engine): Promise<Db> {
  return migratedAt(await engine.freshUrl());
}

export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('it should have been refused');
}
