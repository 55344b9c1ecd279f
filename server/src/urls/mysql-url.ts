import { decodePart, type Host, parseHosts } from './host-list.ts';

export interface MysqlTarget {
  readonly user: string;
  readonly password: string;
  readonly hosts: readonly [Host, ...Host[]];
  readonly database: string;
}

/** mysql://user:password@host:port/name; several hosts of one cluster stand side by side, comma separated. */
export function parseMysqlUrl(url: string): MysqlTarget | undefined {
  const target = parseMysqlServer(url);
  return target?.database === '' ? undefined : target;
}

/** The same, where the name of the database may be missing; it is then empty. */
export function parseMysqlServer(url: string): MysqlTarget | undefined {
  const [, user = '', password = '', hostList = '', database = ''] =
    /^(?:mysql|mariadb):\/\/(?:([^:]*?)(?::(.*))?@)?([^/@?#]+)(?:\/([^/@?#]*))?$/.exec(url) ?? [];
  const hosts = parseHosts(hostList, 3306);
  return (
    hosts && { user: decodePart(user), password: decodePart(password), hosts, database: decodePart(database) }
  );
}

/** The address without the password, for messages. */
export function describeTarget({ user, hosts, database }: MysqlTarget): string {
  const hostList = hosts
    .map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`)
    .join(',');
  return `mysql://${user}@${hostList}/${database}`;
}
