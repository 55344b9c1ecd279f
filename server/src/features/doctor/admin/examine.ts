import { BadSettings, loadSettings } from '../../../settings/load.ts';
import type { Settings } from '../../../settings/schema.ts';
import { examineAccess } from './access.ts';
import { examineDatabase } from './database.ts';
import { type Finding, failed, ok } from './finding.ts';
import { examineFiles, examineInstallation } from './machine.ts';
import { examinePublicUrl } from './public-url.ts';
import { examineSealing } from './sealing.ts';
import { examineSecrets } from './secrets.ts';
import { examineMail, examineRedis } from './services.ts';
import type { Tools } from './tools.ts';
import { examineZones } from './zones.ts';

export interface Installation {
  readonly file: string | undefined;
  /** Where there is no file to be read: the settings in force. */
  readonly settings?: Settings | undefined;
}

/** Checks everything the service depends on. Changes nothing. */
export function examine(tools: Tools) {
  return async ({ file, settings: given }: Installation): Promise<Finding[]> => {
    const read = given === undefined ? readSettings(file) : { settings: given };
    if ('problems' in read) return [...read.problems, ...examineInstallation(tools)];
    const { settings } = read;
    const [database, redis, mail, publicUrl] = await Promise.all([
      examineDatabase(settings.database.url, tools, async (db) => [
        await examineSealing(settings, tools.storeOf(db)),
        ...(await examineZones(db, settings, tools)),
      ]),
      examineRedis(settings.redis.url, tools),
      examineMail(settings, tools),
      examinePublicUrl(settings, tools),
    ]);
    return [
      ok('settings', file ?? 'from the environment'),
      ...examineSecrets(settings),
      ...examineAccess(settings),
      publicUrl,
      ...examineInstallation(tools),
      ...examineFiles(settings, file, tools),
      redis,
      mail,
      ...database,
    ];
  };
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
