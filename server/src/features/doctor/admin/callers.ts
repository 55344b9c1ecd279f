import { forEachConcurrent } from '../../../runtime/for-each-concurrent.ts';
import { addressList, canonicalAddress, loopback } from '../../../security/addresses.ts';
import type { Settings } from '../../../settings/schema.ts';
import type { Zone } from '../../zones/store.ts';
import { type Finding, warning } from './finding.ts';
import type { Tools } from './tools.ts';

const SHOWN = 5;
/** Fewer than Node's thread pool has, which files and password hashes use too. */
const NAMES_AT_ONCE = 2;

/**
 * Finds game servers that are throttled like strangers: the server table has only a host name, which does not prove who calls,
 * and the settings do not list their address.
 */
export async function examineCallers(
  zones: readonly Pick<Zone, 'address'>[],
  { game_servers }: Pick<Settings, 'game_servers'>,
  { resolveHost }: Pick<Tools, 'resolveHost'>,
  signal?: AbortSignal,
): Promise<Finding[]> {
  const listed = addressList(game_servers.ip);
  const isKnown = (address: string) => listed.has(address) || loopback.has(address);
  const names = new Set(
    zones.map(({ address }) => address).filter((each) => canonicalAddress(each) === undefined),
  );
  const strangers: string[] = [];
  async function examineName(name: string): Promise<void> {
    const found = (await resolveHost(name)).map((each) => canonicalAddress(each) ?? each);
    if (found.length > 0 && !found.some(isKnown)) strangers.push(`${name} (${found.join(', ')})`);
  }
  await forEachConcurrent([...names], NAMES_AT_ONCE, examineName, signal);
  strangers.sort();
  if (strangers.length === 0) return [];
  const rest = strangers.length - SHOWN;
  return [
    warning(
      'game_servers.ip',
      `lacks ${strangers.slice(0, SHOWN).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}: after invalid tokens from there /api/check refuses valid ones too, and chat and callbacks are refused`,
      'add the addresses from which the game servers call to game_servers.ip, or replace names by addresses with: gatehouse zone set ID --address …',
    ),
  ];
}
