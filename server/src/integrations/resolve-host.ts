import { lookup } from 'node:dns/promises';
import { withTimeout } from '../runtime/with-timeout.ts';

const TIMEOUT_MS = 3000;

/** Resolves a host name. Returns an empty list if it has no address or no name server answers in time. */
export async function resolveHost(
  name: string,
  { lookupAll = (host: string) => lookup(host, { all: true }), timeoutMs = TIMEOUT_MS } = {},
): Promise<string[]> {
  const late = () => new Error(`no name server answered for ${name}`);
  const found = await withTimeout(lookupAll(name), timeoutMs, late).catch(() => []);
  return found.map(({ address }) => address);
}
