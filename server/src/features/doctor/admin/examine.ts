import type { Db } from '../../../db/open.ts';
import { BadSettings } from '../../../settings/bad-settings.ts';
import { loadSettings } from '../../../settings/load.ts';
import type { Settings } from '../../../settings/schema.ts';
import { examineAccess } from './access.ts';
import { acknowledge } from './acknowledge.ts';
import type { Area } from './areas.ts';
import { examineDatabase } from './database.ts';
import { type Finding, failed, ok, warning } from './finding.ts';
import { examineLinks } from './links.ts';
import { examineFiles, examineInstallation } from './machine.ts';
import { examinePublicUrl } from './public-url.ts';
import { examineHashes } from './sealing.ts';
import { examineSecrets } from './secrets.ts';
import { examineService } from './service.ts';
import { examineMail, examineRedis } from './services.ts';
import type { Tools } from './tools.ts';
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
          ...(await inArea('database', () => examineHashes(settings, tools.storeOf(db)))),
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

function examineWithdrawals({ count, since }: { count: number; since: number | null }): Finding {
  if (count === 0) return ok('withdrawals', 'none are waiting for an operator');
  return warning(
    'withdrawals',
    `${count} with an unknown outcome ${count === 1 ? 'is' : 'are'} waiting for an operator, the oldest since ${new Date(since ?? 0).toISOString()}`,
    'list them with: gatehouse withdraw list --state unknown, and settle them as described in docs/withdrawals.md',
  );
}

function examineWebhooks(parked: readonly { webhookId: number; count: number }[]): Finding {
  const [first] = parked;
  if (!first) return ok('webhooks', 'no delivery is parked');
  const list = parked.map(({ webhookId, count }) => `${count} of webhook ${webhookId}`).join(', ');
  return warning(
    'webhooks',
    `deliveries failed for 24 hours and are no longer tried: ${list}`,
    `see why with: gatehouse webhook deliveries ${first.webhookId} --state parked, mend the receiver, then run: gatehouse webhook replay ${first.webhookId}`,
  );
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
