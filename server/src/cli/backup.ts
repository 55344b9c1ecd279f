import type { Command } from 'commander';
import { backupSqlite } from '../db/backup.ts';
import { migrate } from '../db/migrate.ts';
import { openDatabase } from '../db/open.ts';
import { parseMysqlUrl } from '../urls/mysql-url.ts';
import { command, type Options, settingsOf } from './context.ts';
import { printResult } from './output.ts';

export function backupCommand(): Command {
  return command('backup')
    .argument('<file>', 'where to write the copy')
    .action(async (file: string, options: Options) => {
      const { url } = settingsOf(options).database;
      if (!url.startsWith('sqlite:'))
        throw new Error(`this command copies SQLite only; for MariaDB use: ${dumpCommand(url, file)}`);
      const { accounts, bytes, ...written } = await backupSqlite(url.slice('sqlite:'.length), file);
      printResult(`${written.file}: ${accounts} accounts, ${bytes} bytes, checked`);
    });
}

function dumpCommand(url: string, file: string): string {
  const { user = 'USER', hosts = undefined, database = 'NAME' } = parseMysqlUrl(url) ?? {};
  const { host, port } = hosts?.[0] ?? { host: 'HOST', port: 3306 };
  return `mariadb-dump --single-transaction --host=${host} --port=${port} --user=${user} --password --result-file=${file} ${database}`;
}

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
