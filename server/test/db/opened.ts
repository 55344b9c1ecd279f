import { onTestFinished } from 'vitest';
import type { Engine } from '../../../test-support/engines.ts';
import { migrate } from '../../src/db/migrate.ts';
import { type Db, openDatabase } from '../../src/db/open.ts';

/** Opens a database that is closed after the test. */
export async function opened(url: string): Promise<Db> {
  const db = await openDatabase(url);
  onTestFinished(() => db.close());
  return db;
}

export async function migratedAt(url: string): Promise<Db> {
  const db = await opened(url);
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
