import type { Db } from '../../../db/open.ts';
import { BadSettings } from '../../../settings/bad-settings.ts';
import { loadSettings } from '../../../settings/load.ts';
import type { Settings } from '../../../settings/schema.ts';
import {
  examineDatabase,
  examineHashes,
  examineWebhooks,
  examineWithdrawals,
  judgeSecrets,
} from './database.ts';
import {
  examineFiles,
  examineInstallation,
  examineMail,
  examinePublicUrl,
  examineRedis,
  examineService,
} from './environment.ts';
import { type Area, type Finding, failed, ok, type Tools, warning } from './finding.ts';
import { examineAccess, examineLinks, examineSecrets } from './settings.ts';
import { examineZones } from './zones.ts';

export interface Installation {
  readonly file: string | undefined;
  /** The settings in force, if there is no file to read. */
  readonly settings?: Settings | undefined;
  /** The connection of the running service. The command line leaves it out and opens the database by its URL. */
  readonly db?: Db | undefined;
  /** All areas if undefined. */
  readonly only?: readonly Area[] | undefined;
  /** Stops the examination of zones, which may be hundreds, before all are done. */
  readonly signal?: AbortSignal | undefined;
}

/** Checks everything the service depends on. Changes nothing. */
export function examine(tools: Tools) {
  return async ({ file, settings: given, db: own, only, signal }: Installation): Promise<Finding[]> => {
    const wanted = (area: Area) => only === undefined || only.includes(area);
    const inArea = async (area: Area, look: () => Finding[] | Promise<Finding[]>) =>
      wanted(area) ? look() : [];
    const read = given === undefined ? readSettings(file) : { settings: given };
    if ('problems' in read) return [...read.problems, ...examineInstallation(tools)];
    const { settings } = read;
    const found = await Promise.all([
      inArea('settings', () => [
        ok('settings', file ?? 'from the environment'),
        ...examineSecrets(settings),
        ...examineAccess(settings),
        ...examineLinks(settings),
      ]),
      inArea('service', async () => [await examineService(settings, tools)]),
      inArea('public_url', async () => [await examinePublicUrl(settings, tools)]),
      inArea('machine', () => [...examineInstallation(tools), ...examineFiles(settings, file, tools)]),
      inArea('redis', async () => [await examineRedis(settings.redis.url, tools)]),
      inArea('mail', async () => [await examineMail(settings, tools)]),
      databaseAreas(settings),
    ]);
    return acknowledge(found.flat(), settings.doctor.acknowledged, { complete: only === undefined });

    /** Examines zones, withdrawals and webhooks, which are in the database. If it is unavailable, reports only that. */
    async function databaseAreas({ database }: Settings): Promise<Finding[]> {
      if (!(['database', 'zones', 'withdrawals', 'webhooks'] as const).some(wanted)) return [];
      let rows: Finding[] | undefined;
      const all = await examineDatabase({ url: database.url, own }, tools, async (db) => {
        rows = [
          ...(await inArea('database', async () => [
            ...(await examineHashes(settings, tools.storeOf(db))),
            judgeSecrets(await tools.countSecrets(db, settings)),
          ])),
          ...(await inArea('withdrawals', async () => [
            examineWithdrawals(await tools.storeOf(db).unknownWithdrawals()),
          ])),
          ...(await inArea('webhooks', async () => [
            examineWebhooks(await tools.storeOf(db).parkedDeliveries()),
          ])),
          ...(await inArea('zones', () => examineZones(db, settings, tools, signal))),
        ];
        return rows;
      });
      return wanted('database') || rows === undefined ? all : rows;
    }
  };
}

function readSettings(file: string | undefined): { settings: Settings } | { problems: Finding[] } {
  try {
    return { settings: loadSettings(file) };
  } catch (error) {
    if (!(error instanceof BadSettings)) throw error;
    const fix = `correct it in ${file ?? 'the environment, or specify a settings file with --config'}`;
    return { problems: error.problems.map(({ setting, message }) => failed(setting, message, fix)) };
  }
}

/**
 * Marks findings that the operator accepts, each written as `check: reason`. They are still listed with the reason, but no
 * longer as a warning or failure.
 */
function acknowledge(
  findings: readonly Finding[],
  entries: readonly string[],
  { complete }: { complete: boolean },
): Finding[] {
  const reasons = new Map(
    entries.map((entry) => {
      const colon = entry.indexOf(':');
      return [entry.slice(0, colon).trim(), entry.slice(colon + 1).trim()] as const;
    }),
  );
  const met = findings.map((finding): Finding => {
    const reason = finding.status === 'ok' ? undefined : reasons.get(finding.check);
    if (reason === undefined) return finding;
    const { check, detail } = finding;
    return { check, status: 'ok', detail: `acknowledged (${reason}): ${detail}` };
  });
  // After a partial examination, the other entries cannot be judged.
  if (!complete) return met;
  const idle = [...reasons.keys()].filter(
    (check) => !findings.some((finding) => finding.check === check && finding.status !== 'ok'),
  );
  return [
    ...met,
    ...idle.map((check) =>
      warning('doctor.acknowledged', `there is no warning ${check}`, 'remove it from doctor.acknowledged'),
    ),
  ];
}
