import { randomUUID } from 'node:crypto';
import type { Db } from '../../../db/open.ts';
import { forEachConcurrent } from '../../../runtime/concurrency.ts';
import { readableTime } from '../../../runtime/time.ts';
import { addressList, canonicalAddress, loopback } from '../../../security/addresses.ts';
import type { Settings } from '../../../settings/schema.ts';
import { gmPortFault } from '../../zones/admin/test.ts';
import type { Zone } from '../../zones/store.ts';
import { type Finding, failed, ok, reasonOf, type Tools, warning } from './finding.ts';

type ZoneTools = Pick<Tools, 'zonesOf' | 'gameDatabases' | 'gmCommands' | 'tcpCheck' | 'resolveHost'>;
type TcpCheck = ReturnType<Tools['tcpCheck']>;
type GmCommand = ReturnType<ReturnType<Tools['gmCommands']>>;

const ZONES_AT_ONCE = 25;

/**
 * Examines every zone that players can enter: its game port, GM interface and game database. If the signal aborts, reports what
 * was not examined.
 */
export async function examineZones(
  db: Db,
  settings: Settings,
  { zonesOf, gameDatabases, gmCommands, tcpCheck, resolveHost }: ZoneTools,
  signal?: AbortSignal,
): Promise<Finding[]> {
  const zones = (await zonesOf(db)).filter(({ status }) => status !== 'closed');
  if (zones.length === 0)
    return [
      warning('zones', 'there are none', 'add one with: gatehouse zone add 1 --name … --address … --port …'),
    ];
  const databaseOf = gameDatabases(settings.zones);
  const gmOf = gmCommands(settings.gm, settings.zones.allowed_hosts);
  const check = tcpCheck(settings.zones.allowed_hosts);
  const found: ZoneFinding[] = [];
  async function examineZone(zone: Zone): Promise<void> {
    const of = (about: string, finding: Finding) => ({ ...finding, about, serverId: zone.serverId });
    const [port, interfaceOf, database] = await Promise.all([
      gamePort(zone, check),
      gmInterface(zone, settings, gmOf(zone), check),
      gameDatabase(zone, settings, databaseOf),
    ]);
    found.push(of('game port', port), of('GM interface', interfaceOf), of('game database', database));
  }
  const [left, callers] = await Promise.all([
    forEachConcurrent(
      zones.filter(({ mergedInto }) => mergedInto === null),
      ZONES_AT_ONCE,
      examineZone,
      signal,
    ),
    examineCallers(zones, settings, { resolveHost }, signal),
  ]);
  return [
    ...groupZones(found.toSorted((a, b) => a.serverId - b.serverId)),
    ...(left > 0 ? [unfinished(left, zones.length)] : []),
    ...callers,
    ...commonKey(zones.length, settings),
  ];
}

function commonKey(zones: number, { game_servers }: Settings): Finding[] {
  if (game_servers.key === undefined || zones < 2) return [];
  return [
    warning(
      'zone keys',
      `game_servers.key is one key for ${zones} zones: a game server that has it can act for the players of all of them from an address in game_servers.ip and from this machine, and for its own zone from the zone’s address`,
      'give each zone its own key with: gatehouse zone key add ID; once all of them sign with it, set game_servers.key to a secret that no game server has. Without it, those addresses need not sign',
    ),
  ];
}

const unfinished = (left: number, all: number) =>
  warning(
    'zones',
    `${left} of ${all} were not checked: the others took too long to answer or did not answer`,
    'check all of them with: gatehouse doctor --only zones',
  );

async function gamePort({ serverId, address, port, status }: Zone, tcpCheck: TcpCheck): Promise<Finding> {
  const check = `zone ${serverId} game port`;
  const fault = await tcpCheck(address, port);
  if (fault === undefined) return ok(check, `${address}:${port} answers`);
  const detail = `${address}:${port}: ${fault}`;
  if (status === 'maintenance') return warning(check, detail, 'start it before you open the zone');
  return failed(
    check,
    detail,
    `start the game server, or correct it with: gatehouse zone set ${serverId} --address … --port …`,
  );
}

/** Requests the receipt of an order that never existed, which shows whether key and operation match the game's. */
async function gmInterface(
  { serverId, gmUrl, gmFailingSince, gmFailure }: Zone,
  { withdraw, time_zone }: Settings,
  gm: GmCommand,
  tcpCheck: TcpCheck,
): Promise<Finding> {
  const check = `zone ${serverId} GM interface`;
  const url = gmUrl === null ? null : URL.parse(gmUrl);
  if (gmUrl === null || url === null) {
    if (!withdraw.enabled) return ok(check, 'not needed: withdrawals are turned off');
    return warning(
      check,
      'has no usable gm_url: withdrawals are refused',
      `set it with: gatehouse zone set ${serverId} --gm-url http://…`,
    );
  }
  const since =
    gmFailingSince === null
      ? ''
      : `; withdrawals have failed since ${readableTime(time_zone, gmFailingSince)}`;
  const fault = await gmPortFault(tcpCheck, gmUrl);
  if (fault !== undefined)
    return failed(
      check,
      `${url.host}: ${fault}${since}`,
      'start the GM interface, or open the firewall to it',
    );
  if (since !== '')
    return warning(
      check,
      `${url.host} answers${since} (${gmFailure})`,
      `try it with: gatehouse zone test ${serverId}; the warning ends with the next withdrawal that it answers`,
    );
  if (!gm.offersReceipts)
    return ok(
      check,
      `${url.host} answers; without gm.receipt_operation only a deduction shows whether gm.key is correct`,
    );
  const receipt = await gm.receipt(gmUrl, serverId, `doctor-${randomUUID()}`.slice(0, 36));
  if (receipt.kind === 'not_executed') return ok(check, `${url.host} answers and gives receipts`);
  return failed(
    check,
    `${url.host} gives no receipt: ${receipt.kind === 'unreadable' ? receipt.why : 'it reports an unknown order as executed'}`,
    'correct gm.key, gm.receipt_operation or gm.success to match the game server',
  );
}

async function gameDatabase(
  { serverId, databaseUrl }: Zone,
  { zones, withdraw }: Settings,
  databaseOf: ReturnType<Tools['gameDatabases']>,
): Promise<Finding> {
  const check = `zone ${serverId} game database`;
  if (!databaseUrl && !zones.database_url) {
    if (!withdraw.enabled) return ok(check, 'not needed: withdrawals are turned off');
    return warning(check, 'is not configured: withdrawals are refused', 'set zones.database_url');
  }
  try {
    // No role has this id. The query shows whether table and columns exist.
    await databaseOf({ serverId, databaseUrl }).roleById(0);
    return ok(check, `${zones.table} can be read`);
  } catch (error) {
    return failed(
      check,
      reasonOf(error),
      'correct zones.database_url, zones.table or zones.columns, and grant its user SELECT',
    );
  }
}

const SHOWN = 5;
/** Fewer than the threads of Node's pool, which files and password hashes use too. */
const NAMES_AT_ONCE = 2;

/**
 * Finds game servers that are throttled like strangers: the server table has only a host name, which does not prove who calls,
 * and the settings do not list their address.
 */
export async function examineCallers(
  zones: readonly Pick<Zone, 'address'>[],
  { game_servers }: Pick<Settings, 'game_servers'>,
  { resolveHost }: Pick<Tools, 'resolveHost'>,
  signal?: AbortSignal,
): Promise<Finding[]> {
  const listed = addressList(game_servers.ip);
  const isKnown = (address: string) => listed.has(address) || loopback.has(address);
  const names = new Set(
    zones.map(({ address }) => address).filter((each) => canonicalAddress(each) === undefined),
  );
  const strangers: string[] = [];
  async function examineName(name: string): Promise<void> {
    const found = (await resolveHost(name)).map((each) => canonicalAddress(each) ?? each);
    if (found.length > 0 && !found.some(isKnown)) strangers.push(`${name} (${found.join(', ')})`);
  }
  await forEachConcurrent([...names], NAMES_AT_ONCE, examineName, signal);
  strangers.sort();
  if (strangers.length === 0) return [];
  const rest = strangers.length - SHOWN;
  return [
    warning(
      'game_servers.ip',
      `lacks ${strangers.slice(0, SHOWN).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}: after invalid tokens from there /api/check refuses valid ones too, and chat and callbacks are refused`,
      'add the addresses from which the game servers call to game_servers.ip, or replace names by addresses with: gatehouse zone set ID --address …',
    ),
  ];
}

/** A finding about one zone. `about` is the same for all zones. */
export interface ZoneFinding extends Finding {
  readonly serverId: number;
  readonly about: string;
}

/** Details of a group that are shown. */
const DETAILS = 3;

/** Groups zones with the same kind of finding into one line: in order, or with the same fix. */
export function groupZones(findings: readonly ZoneFinding[]): Finding[] {
  const anyId = ({ fix, serverId }: ZoneFinding) =>
    fix?.replaceAll(/\b(zone \w+) (\d+)\b/g, (text, command, id) =>
      Number(id) === serverId ? `${command} ID` : text,
    );
  const groups = Map.groupBy(findings, (finding) =>
    JSON.stringify([finding.about, finding.status, anyId(finding)]),
  );
  return [...groups.values()].map((group) => {
    const [first] = group as [ZoneFinding, ...ZoneFinding[]];
    const { status, detail, fix, about } = first;
    if (group.length === 1)
      return { check: `zone ${first.serverId} ${about}`, status, detail, ...(fix && { fix }) };
    const ids = group.map(({ serverId }) => serverId);
    const details = [...new Set(group.map((each) => each.detail))];
    const rest = details.length - DETAILS;
    const several = `${details.slice(0, DETAILS).join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`;
    return {
      check: `zones ${ranges(ids)} ${about}`,
      status,
      detail: status === 'ok' && details.length > 1 ? `all ${group.length} are ok` : several,
      ...(fix && { fix: anyId(first) ?? fix }),
    };
  });
}

/** Formats ids as `1-3, 7`. */
function ranges(ids: readonly number[]): string {
  const spans: [number, number][] = [];
  for (const id of ids.toSorted((a, b) => a - b)) {
    const last = spans.at(-1);
    if (last && id === last[1] + 1) last[1] = id;
    else spans.push([id, id]);
  }
  return spans.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}
