import { lookup } from 'node:dns/promises';

/** The addresses of a host name; none where it has none. */
export async function resolveHost(name: string): Promise<string[]> {
  const found = await lookup(name, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}
