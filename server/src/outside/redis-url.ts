interface RedisHost {
  readonly host: string;
  readonly port: number;
}

/** The part of ioredis's options that an address says. */
export interface RedisAddress extends Partial<RedisHost> {
  readonly username?: string;
  readonly password?: string;
  readonly tls?: object;
  readonly db?: number;
  readonly sentinels?: RedisHost[];
  readonly name?: string;
}

/**
 * `redis://[user:password@]host:port[/number]`, or `redis+sentinel://[user:password@]host:port,host:port/master` where
 * Sentinels tell which server is the master. With `rediss` the servers are spoken to over TLS.
 */
export function parseRedisUrl(url: string): RedisAddress | undefined {
  const [, secure, sentinel, user = '', password = '', hostList = '', path = ''] =
    /^redis(s)?(\+sentinel)?:\/\/(?:([^:@/]*)(?::([^@]*))?@)?([^/@?#]+)(?:\/([\w.-]*))?$/.exec(url) ?? [];
  const hosts = hostList.split(',').map((text) => parseHost(text, sentinel ? 26379 : 6379));
  const [first, ...others] = hosts;
  if (first === undefined || others.includes(undefined)) return undefined;
  const options: RedisAddress = {
    ...(user && { username: decodeURIComponent(user) }),
    ...(password && { password: decodeURIComponent(password) }),
    ...(secure && { tls: {} }),
  };
  if (sentinel) {
    if (path === '') return undefined;
    return { ...options, sentinels: hosts.filter((host) => host !== undefined), name: path };
  }
  if (others.length > 0 || !/^\d*$/.test(path)) return undefined;
  return { ...options, ...first, db: Number(path) };
}

function parseHost(text: string, usualPort: number): RedisHost | undefined {
  const [, v6, name, port = usualPort] =
    /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = v6 ?? name;
  return host === undefined ? undefined : { host, port: Number(port) };
}
