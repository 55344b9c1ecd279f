import { refuseField } from '../../../refusal.ts';
import { timeText } from '../../../runtime/time.ts';
import { maskUrl, unmaskUrl } from '../../../security/masking.ts';
import { parseMysqlServer } from '../../../urls/mysql-url.ts';
import type { Actor } from '../../audit/entry.ts';
import type { ZoneAdminStore, ZoneFields, ZoneState } from './store.ts';

/** Returns a zone's columns for people: times as in the API, URLs with masked secrets. */
export function readable(fields: ZoneFields): object {
  const shown: Record<string, unknown> = { ...fields };
  for (const column of ['opened_at', 'maintenance_until'] as const)
    if (typeof fields[column] === 'number') shown[column] = timeText(fields[column]);
  for (const column of ['gm_url', 'database_url'] as const)
    if (typeof fields[column] === 'string') shown[column] = maskUrl(fields[column]);
  return shown;
}

/** Returns the URLs among the fields, with `***` replaced by the stored values. */
export function unmasked(
  fields: ZoneFields,
  known: Pick<ZoneState, 'gm_url' | 'database_url'>,
): Pick<ZoneFields, 'gm_url' | 'database_url'> {
  const urls: { gm_url?: string; database_url?: string } = {};
  for (const column of ['gm_url', 'database_url'] as const) {
    const given = fields[column];
    if (typeof given !== 'string') continue;
    const url = unmaskUrl(given, known[column]);
    if (url === undefined) throw refuseField('invalid_request', column, { variant: 'masked' });
    urls[column] = url;
  }
  return urls;
}

/** Refuses URLs that make the service read files, unless they come from its command line. */
export function refuseFiles({ via }: Pick<Actor, 'via'>, { database_url }: ZoneFields): void {
  if (via === 'cli' || typeof database_url !== 'string') return;
  if (/^sqlite:/i.test(database_url))
    throw refuseField('invalid_request', 'database_url', { variant: 'sqlite' });
  const { ca, cert, key } = parseMysqlServer(database_url)?.tls ?? {};
  if (ca ?? cert ?? key) throw refuseField('invalid_request', 'database_url', { variant: 'files' });
}

/** Returns how many players entered each zone today. */
export type EntriesToday = () => Promise<ReadonlyMap<number, number>>;

export interface ListDeps {
  readonly zones: ZoneAdminStore;
  readonly entriesToday: EntriesToday;
  /** Reports whether the game port answered the last probe. Undefined if it is not probed. */
  readonly isOnline: (serverId: number) => boolean | undefined;
}

/** A zone, as shown to operators. */
export interface ZoneOverview extends ZoneState {
  readonly online: boolean | null;
  readonly entriesToday: number;
  readonly withdrawalsUnknown: number;
}

/** Adds the current activity to zones. */
export function describeZones({ zones, entriesToday, isOnline }: ListDeps) {
  return async (states: readonly ZoneState[]): Promise<ZoneOverview[]> => {
    const [entries, unknown] = await Promise.all([entriesToday(), zones.unknownWithdrawals()]);
    return states.map((zone) => ({
      ...zone,
      online: isOnline(zone.server_id) ?? null,
      entriesToday: entries.get(zone.server_id) ?? 0,
      withdrawalsUnknown: unknown.get(zone.server_id) ?? 0,
    }));
  };
}
