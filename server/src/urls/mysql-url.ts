import { decodePart, type Host, parseHosts } from './host-list.ts';
import { parseTls, type TlsFiles } from './tls.ts';

export interface MysqlTarget {
  readonly user: string;
  readonly password: string;
  readonly hosts: readonly [Host, ...Host[]];
  readonly database: string;
  readonly tls?: TlsFiles;
}

/**
 * Parses mysql://user:password@host:port/name. Several hosts of one cluster are comma-separated. `?tls=true` encrypts the
 * connection and verifies the server's certificate; `ca`, `cert` and `key` name files.
 */
export function parseMysqlUrl(url: string): MysqlTarget | undefined {
  const target = parseMysqlServer(url);
  return target?.database === '' ? undefined : target;
}

/** Same, but the database name may be missing; it is then empty. */
export function parseMysqlServer(url: string): MysqlTarget | undefined {
  const [, user = '', password = '', hostList = '', database = '', query = ''] =
    /^(?:mysql|mariadb):\/\/(?:([^:]*?)(?::(.*))?@)?([^/@?#]+)(?:\/([^/@?#]*))?(?:\?([^@#]*))?$/.exec(url) ??
    [];
  const hosts = parseHosts(hostList, 3306);
  const tls = parseTls(query);
  if (hosts === undefined || tls === false) return undefined;
  return {
    user: decodePart(user),
    password: decodePart(password),
    hosts,
    database: decodePart(database),
    ...(tls && { tls }),
  };
}

/** Returns the address without the password, for messages. */
export function describeTarget({ user, hosts, database }: MysqlTarget): string {
  const hostList = hosts
    .map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`)
    .join(',');
  return `mysql://${user}@${hostList}/${database}`;
}
