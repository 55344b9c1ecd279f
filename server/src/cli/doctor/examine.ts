import { BadSettings, loadSettings, settingsFile } from '../../settings/load.ts';
import type { Settings } from '../../settings/schema.ts';
import { examineAccess } from './access.ts';
import { examineDatabase } from './database.ts';
import { type Finding, failed, ok } from './finding.ts';
import { examineFiles, examineInstallation } from './machine.ts';
import { examinePublicUrl } from './public-url.ts';
import { examineSecrets } from './secrets.ts';
import { examineMail, examineRedis } from './services.ts';
import { examineZones } from './zones.ts';

/** Checks everything the service depends on. Changes nothing. */
export async function examine(config: string | undefined): Promise<Finding[]> {
  const file = settingsFile(config);
  const read = readSettings(file);
  if ('problems' in read) return [...read.problems, ...examineInstallation()];
  const { settings } = read;
  const [database, redis, mail, publicUrl] = await Promise.all([
    examineDatabase(settings.database.url, (db) => examineZones(db, settings)),
    examineRedis(settings.redis.url),
    examineMail(settings),
    examinePublicUrl(settings),
  ]);
  return [
    ok('settings', file ?? 'from the environment'),
    ...examineSecrets(settings),
    ...examineAccess(settings),
    publicUrl,
    ...examineInstallation(),
    ...examineFiles(settings, file),
    redis,
    mail,
    ...database,
  ];
}

function readSettings(file: string | undefined): { settings: Settings } | { problems: Finding[] } {
  try {
    return { settings: loadSettings(file) };
  } catch (error) {
    if (!(error instanceof BadSettings)) throw error;
    const fix = `correct it in ${file ?? 'the environment, or name a settings file with --config'}`;
    return { problems: error.problems.map(({ setting, message }) => failed(setting, message, fix)) };
  }
}
