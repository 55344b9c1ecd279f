import type { Command } from 'commander';
import { migrate } from '../db/migrate.ts';
import { openDatabase } from '../db/open.ts';
import { command, type Options, settingsOf } from './context.ts';
import { printResult } from './output.ts';

export function migrateCommand(): Command {
  return command('migrate').action(async (options: Options) => {
    const db = await openDatabase(settingsOf(options).database.url);
    try {
      const { applied } = await migrate(db);
      printResult(applied.length === 0 ? 'nothing to do' : `applied ${applied.join(', ')}`, { applied });
    } finally {
      await db.close();
    }
  });
}
