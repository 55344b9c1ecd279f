import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import { routes } from '@gatehouse/contract';
import { addressList, loopback } from '../../../security/addresses.ts';
import type { Settings } from '../../../settings/schema.ts';
import { type Finding, ok, reasonOf, warning } from './finding.ts';
import type { Tools } from './tools.ts';

const CHECK = 'public_url from outside';

/**
 * Sends requests to the service as browsers do. Requests reserved for loopback must be refused: behind a proxy that is not in
 * trust_proxy and adds no header, every client looks like a program on this machine.
 */
export async function examinePublicUrl(
  { public_url, port, metrics }: Settings,
  { askPublicly }: Pick<Tools, 'askPublicly'>,
): Promise<Finding> {
  try {
    const addresses = await addressesOf(new URL(public_url).hostname);
    // A machine may resolve its own name to loopback. On another port, a proxy answers.
    if (addresses.every((address) => loopback.has(address)) && portOf(public_url) === port)
      return ok(CHECK, 'not checked: it points to this machine');
    const live = await askPublicly(public_url, routes.live.path);
    if (live.status !== 200 || !live.isOurs)
      return warning(
        CHECK,
        `${public_url} answers ${live.status}, and is not this service`,
        'correct public_url, or make the proxy forward requests to the service',
      );
    const { status } = await askPublicly(public_url, routes.metrics.path);
    if (status !== 200) return ok(CHECK, 'answers and does not give the privileges of loopback');
    if (isReader(metrics.ip))
      return ok(CHECK, 'answers; metrics.ip includes this machine, so nothing more can be checked');
    return warning(
      CHECK,
      'a request from outside has the privileges of loopback: anyone can read metrics, bind accounts and report chat as a game server',
      'add the proxy to trust_proxy and make it send X-Forwarded-For, as deploy/gatehouse_proxy.conf does',
    );
  } catch (error) {
    return warning(
      CHECK,
      `${public_url} cannot be reached from here: ${reasonOf(error)}`,
      'correct public_url, start the service and the proxy, or run this on a machine that can reach it',
    );
  }
}

async function addressesOf(hostname: string): Promise<string[]> {
  const found = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true });
  return found.map(({ address }) => address);
}

function portOf(url: string): number {
  const { port, protocol } = new URL(url);
  return Number(port) || (protocol === 'https:' ? 443 : 80);
}

function isReader(readers: readonly string[]): boolean {
  const list = addressList(readers);
  return Object.values(networkInterfaces())
    .flat()
    .some((each) => each !== undefined && list.has(each.address));
}
