import { lookup } from 'node:dns/promises';
import { withTimeout } from '../runtime/with-timeout.ts';

const TIMEOUT_MS = 3000;

/** The addresses of a host name; none where it has none or no name server says so in time. */
export async function resolveHost(
  name: string,
  { lookupAll = (host: string) => lookup(host, { all: true }), timeoutMs = TIMEOUT_MS } = {},
): Promise<string[]> {
  const late = () => new Error(`no name server answered for ${name}`);
  const found = await withTimeout(lookupAll(name), timeoutMs, late).catch(() => []);
  return found.map(({ address }) => address);
}
