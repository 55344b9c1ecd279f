import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const deploy = resolve(import.meta.dirname, '../deploy');

/** The shipped configuration, with the marked lines changed as an operator would. */
export function siteConfiguration(site: {
  listen: readonly string[];
  /** Ports on loopback, or addresses with a port. */
  backends: readonly (number | string)[];
  root: string;
  /** Addresses that nginx does not limit. */
  gameServers?: readonly string[];
}): string {
  const changes: [string | RegExp, string][] = [
    [
      / {2}server 127\.0\.0\.1:3001[^\n]*/,
      ['max_fails=2 fail_timeout=2s', 'max_fails=0 backup']
        .flatMap((role) => site.backends.map((each) => `server ${addressOf(each)} ${role};`))
        .join('\n'),
    ],
    [/listen 80;/, site.listen.map((address) => `listen ${address};`).join(' ')],
    [/root [^;]+;/, `root ${site.root};`],
    [/ {2}# 203\.0\.113\.7 1;[^\n]*/, (site.gameServers ?? []).map((each) => `${each} 1;`).join(' ')],
    ['/var/log/nginx/gatehouse.log', 'access.log'],
    ['/var/cache/gatehouse-nginx', 'cache'],
    [/include gatehouse_proxy.conf/g, `include ${join(deploy, 'gatehouse_proxy.conf')}`],
  ];
  return changes.reduce(
    (text, [from, to]) => {
      const changed = text.replace(from, to);
      if (changed === text) throw new Error(`deploy/nginx.conf has nothing like ${from}`);
      return changed;
    },
    readFileSync(join(deploy, 'nginx.conf'), 'utf8'),
  );
}

const addressOf = (backend: number | string) =>
  typeof backend === 'number' ? `127.0.0.1:${backend}` : backend;
