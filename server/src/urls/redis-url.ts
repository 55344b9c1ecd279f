import { decodePart, type Host, parseHosts } from './host-list.ts';
import { parseTls, type TlsFiles } from './tls.ts';

/** The part of ioredis's options that an address says; the files of `tls` are still to be read. */
export interface RedisAddress extends Partial<Host> {
  readonly username?: string;
  readonly password?: string;
  readonly tls?: TlsFiles;
  readonly db?: number;
  readonly sentinels?: Host[];
  readonly name?: string;
}

/**
 * `redis://[user:password@]host:port[/number]`, or `redis+sentinel://[user:password@]host:port,host:port/master` where
 * Sentinels tell which server is the master. With `rediss` connections use TLS, and `?ca=FILE&cert=FILE&key=FILE` says with
 * which certificates.
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
