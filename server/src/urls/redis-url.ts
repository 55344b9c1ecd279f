import { decodePart, type Host, parseHosts } from './host-list.ts';
import { parseTls, type TlsFiles } from './tls.ts';

/** The ioredis options contained in a URL. The files of `tls` are not read yet. */
export interface RedisAddress extends Partial<Host> {
  readonly username?: string;
  readonly password?: string;
  readonly tls?: TlsFiles;
  readonly db?: number;
  readonly sentinels?: Host[];
  readonly name?: string;
}

/**
 * Parses `redis://[user:password@]host:port[/number]`, or `redis+sentinel://[user:password@]host:port,host:port/master`, for
 * which Sentinels name the master. `rediss` uses TLS, with the certificates of `?ca=FILE&cert=FILE&key=FILE`.
 */
export function parseRedisUrl(url: string): RedisAddress | undefined {
  const [, secure, sentinel, user = '', password = '', hostList = '', path = '', query = ''] =
    /^redis(s)?(\+sentinel)?:\/\/(?:([^:@/]*)(?::([^@]*))?@)?([^/@?#]+)(?:\/([\w.-]*))?(?:\?([^@#]*))?$/.exec(
      url,
    ) ?? [];
  const hosts = parseHosts(hostList, sentinel ? 26379 : 6379);
  const tls = secure ? parseTls(query, true) : query === '' ? undefined : false;
  if (hosts === undefined || tls === false) return undefined;
  const options: RedisAddress = {
    ...(user && { username: decodePart(user) }),
    ...(password && { password: decodePart(password) }),
    ...(tls && { tls }),
  };
  if (sentinel) {
    if (path === '') return undefined;
    return { ...options, sentinels: [...hosts], name: path };
  }
  const [first, ...others] = hosts;
  if (others.length > 0 || !/^\d*$/.test(path)) return undefined;
  return { ...options, ...first, db: Number(path) };
}
