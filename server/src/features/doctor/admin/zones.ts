import type { Db } from '../../../db/open.ts';
import type { Settings } from '../../../settings/schema.ts';
import type { Zone } from '../../zones/store.ts';
import { type Finding, failed, ok, reasonOf, warning } from './finding.ts';
import type { Tools } from './tools.ts';

type TcpCheck = Tools['tcpCheck'];

/** Every zone that players see: its game port, its GM interface and its game database. */
export async function examineZones(
  db: Db,
  settings: Settings,
  { zonesOf, gameDatabases, tcpCheck }: Tools,
): Promise<Finding[]> {
  const zones = (await zonesOf(db)).filter(({ status }) => status !== 'closed');
  if (zones.length === 0)
    return [
      warning('zones', 'there are none', 'add one with: gatehouse zone add 1 --name … --address … --port …'),
    ];
  const databaseOf = gameDatabases(settings.zones);
  const found = await Promise.all(
    zones.map((zone) =>
      Promise.all([
        gamePort(zone, tcpCheck),
        gmPort(zone, settings.withdraw.enabled, tcpCheck),
        gameDatabase(zone, settings, databaseOf),
      ]),
    ),
  );
  return found.flat();
}

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

async function gmPort({ serverId, gmUrl }: Zone, withdrawals: boolean, tcpCheck: TcpCheck): Promise<Finding> {
  const check = `zone ${serverId} GM interface`;
  const url = gmUrl === null ? null : URL.parse(gmUrl);
  if (url === null) {
    if (!withdrawals) return ok(check, 'not needed: withdrawals are switched off');
    return warning(
      check,
      'has no usable gm_url: withdrawals are refused',
      `set it with: gatehouse zone set ${serverId} --gm-url http://…`,
    );
  }
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const fault = await tcpCheck(url.hostname.replace(/^\[|\]$/g, ''), port);
  return fault === undefined
    ? ok(check, `${url.host} answers`)
    : failed(check, `${url.host}: ${fault}`, 'start the GM interface, or open the firewall to it');
}

async function gameDatabase(
  { serverId, databaseUrl }: Zone,
  { zones, withdraw }: Settings,
  databaseOf: ReturnType<Tools['gameDatabases']>,
): Promise<Finding> {
  const check = `zone ${serverId} game database`;
  if (!databaseUrl && !zones.database_url) {
    if (!withdraw.enabled) return ok(check, 'not needed: withdrawals are switched off');
    return warning(check, 'is not configured: withdrawals are refused', 'set zones.database_url');
  }
  try {
    // No role has this id: the query alone shows whether table and columns exist.
    await databaseOf({ serverId, databaseUrl }).roleById(0);
    return ok(check, `${zones.table} can be read`);
  } catch (error) {
    return failed(
      check,
      reasonOf(error),
      'correct zones.database_url, zones.table or zones.columns, and let its user SELECT',
    );
  }
}
