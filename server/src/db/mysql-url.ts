export interface MysqlHost {
  readonly host: string;
  readonly port: number;
}

export interface MysqlTarget {
  readonly user: string;
  readonly password: string;
  readonly hosts: readonly [MysqlHost, ...MysqlHost[]];
  readonly database: string;
}

/** mysql://user:password@host:port/name; several hosts of one cluster stand side by side, comma separated. */
export function parseMysqlUrl(url: string): MysqlTarget | undefined {
  const [, user = '', password = '', hostList = '', database = ''] =
    /^mysql:\/\/(?:([^:]*?)(?::(.*))?@)?([^/@?#]+)\/([^/@?#]+)$/.exec(url) ?? [];
  const [first, ...others] = hostList.split(',').map(parseHost);
  if (first === undefined || others.includes(undefined)) return undefined;
  const rest = others.filter((host) => host !== undefined);
  return {
    user: decode(user),
    password: decode(password),
    hosts: [first, ...rest],
    database: decode(database),
  };
}

/** The address without the password, for messages. */
export function describeTarget({ user, hosts, database }: MysqlTarget): string {
  const hostList = hosts
    .map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`)
    .join(',');
  return `mysql://${user}@${hostList}/${database}`;
}

function parseHost(text: string): MysqlHost | undefined {
  const [, v6, name, port = '3306'] =
    /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = v6 ?? name;
  return host === undefined ? undefined : { host, port: Number(port) };
}

/** A password with a bare % in it is taken as it stands. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
