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
 * mysql://user:password@host:port/name; several hosts of one cluster stand side by side, comma separated. `?tls=true` encrypts
 * the link and checks the server's certificate; `ca`, `cert` and `key` name files.
 */
export function parseMysqlUrl(url: string): MysqlTarget | undefined {
  const target = parseMysqlServer(url);
  return target?.database === '' ? undefined : target;
}

/** The same, where the name of the database may be missing; it is then empty. */
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

/** The address without the password, for messages. */
export function describeTarget({ user, hosts, database }: MysqlTarget): string {
  const hostList = hosts
    .map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`)
    .join(',');
  return `mysql://${user}@${hostList}/${database}`;
}
