import { addressList, canonicalAddress } from '../../../security/addresses.ts';
import type { Zone } from '../../zones/store.ts';
import { type Line, lineOf } from '../line.ts';

export interface SetupParts {
  /** The setting `game_servers.ip`. */
  readonly gameServers: readonly string[];
  readonly resolveHost: (name: string) => Promise<string[]>;
}

/** Checks that need no request. */
export async function setupLines(parts: SetupParts, zone: Zone): Promise<Line[]> {
  return [zoneLine(zone), await callerLine(parts, zone)];
}

function zoneLine({ name, status, mergedInto }: Zone): Line {
  const judge = lineOf('setup', 'zone');
  if (mergedInto !== null) return judge('failed', 'zone.merged', { into: mergedInto });
  return judge('ok', 'zone.open', { name, status });
}

/** Addresses in the server table are recognised; names are not, because the owner of the name could admit others. */
async function callerLine({ gameServers, resolveHost }: SetupParts, { address }: Zone): Promise<Line> {
  const judge = lineOf('setup', 'caller address');
  if (canonicalAddress(address) !== undefined) return judge('ok', 'caller.recognised', { address });
  const known = addressList(gameServers);
  const found = await resolveHost(address);
  if (found.some((each) => known.has(canonicalAddress(each) ?? each)))
    return judge('ok', 'caller.recognised', { address });
  return judge('failed', 'caller.unlisted', { address, found: found.join(', ') || '–' });
}
