import type { Settings } from '../../../settings/schema.ts';
import { parseMysqlServer } from '../../../urls/mysql-url.ts';
import { parseRedisUrl } from '../../../urls/redis-url.ts';
import type { TlsFiles } from '../../../urls/tls.ts';
import { isLocal } from './access.ts';
import { type Finding, warning } from './finding.ts';

interface Link {
  readonly setting: string;
  readonly hosts: readonly string[];
  readonly tls: TlsFiles | undefined;
  readonly fix: string;
}

/** Finds links to other machines that an eavesdropper could read. */
export function examineLinks(settings: Settings): Finding[] {
  return [
    ...mysql('database.url', settings.database.url),
    ...mysql('zones.database_url', settings.zones.database_url ?? ''),
    ...redis(settings.redis.url ?? ''),
  ].flatMap(judge);
}

function judge({ setting, hosts, tls, fix }: Link): Finding[] {
  const remote = hosts.filter((host) => !isLocal(host.includes(':') ? `[${host}]` : host));
  if (remote.length === 0 || (tls && !tls.unverified)) return [];
  const fault = tls ? 'is encrypted, but the certificate is not verified' : 'is not encrypted';
  return [warning(setting, `the link to ${remote.join(', ')} ${fault}`, fix)];
}

function mysql(setting: string, url: string): Link[] {
  const target = parseMysqlServer(url);
  const fix = `add ?tls=true&ca=FILE to ${setting}, or keep both machines in a private network and acknowledge the warning`;
  return target ? [{ setting, hosts: target.hosts.map(({ host }) => host), tls: target.tls, fix }] : [];
}

function redis(url: string): Link[] {
  const address = parseRedisUrl(url);
  if (!address) return [];
  const hosts = address.sentinels?.map(({ host }) => host) ?? [address.host ?? ''];
  const fix =
    'use rediss:// and ?ca=FILE in redis.url, or keep both machines in a private network and acknowledge the warning';
  return [{ setting: 'redis.url', hosts, tls: address.tls, fix }];
}
