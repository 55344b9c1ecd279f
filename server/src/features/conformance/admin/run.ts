import type { OwnService } from '../../../integrations/own-service.ts';
import { Refusal } from '../../../refusal.ts';
import { addressList, canonicalAddress } from '../../../security/addresses.ts';
import type { Settings } from '../../../settings/schema.ts';
import type { Zone } from '../../zones/store.ts';
import { followMerges } from '../../zones/zone-cache.ts';
import { type Line, lineOf } from '../line.ts';
import { callbackLines, callbacksSkipped } from './callback-lines.ts';
import { type EntryDeps, entryLines, entrySkipped } from './entry-lines.ts';
import { type GameDeps, type GameTest, gameLines } from './game-lines.ts';

export interface RunDeps {
  readonly zones: () => Promise<readonly Zone[]>;
  readonly setup: SetupDeps;
  /** Takes the current zones, because tickets follow merges. */
  readonly entry: (currentZone: (serverId: number) => number) => EntryDeps;
  readonly callbacks: Settings['game_servers'];
  readonly game: GameDeps;
}

export interface ConformanceTest extends GameTest {
  readonly serverId: number;
  /** Account whose tokens are sent to the service. */
  readonly account?: string | undefined;
  /** The service, if its address is known. */
  readonly service: OwnService | undefined;
  /** Whether the operator gave the URL, so that a missing service is a failure. */
  readonly isExpected: boolean;
}

export interface Conformance {
  readonly zone: Zone;
  readonly lines: readonly Line[];
}

/** Checks everything that a zone and its game must get right. */
export function runConformance(deps: RunDeps) {
  return async (test: ConformanceTest): Promise<Conformance> => {
    const zones = await deps.zones();
    const zone = zones.find((each) => each.serverId === test.serverId);
    if (!zone) throw new Refusal('server_not_found');
    const setup = await setupLines(deps.setup, zone);
    const answers = await serviceLine(test);
    const throughService =
      test.service && answers.result === 'ok'
        ? await serviceLines(deps, { ...test, service: test.service }, zones)
        : [...entrySkipped(), ...callbacksSkipped()];
    return {
      zone,
      lines: [...setup, answers, ...throughService, ...(await gameLines(deps.game, zone, test))],
    };
  };
}

async function serviceLine({ service, isExpected }: ConformanceTest): Promise<Line> {
  const judge = lineOf('setup', 'service');
  if (!service) return judge('skipped', 'service.unknown', { url: '–' });
  const { url } = service;
  try {
    const { isOurs, status } = await service.ask({ method: 'GET', target: '/api/health/ready' });
    if (isOurs && status === 200) return judge('ok', 'service.answers', { url });
    return judge('failed', 'service.away', { url, why: `HTTP ${status}` });
  } catch (error) {
    if (!isExpected) return judge('skipped', 'service.unknown', { url });
    const { cause, message } = error as Error;
    return judge('failed', 'service.away', { url, why: cause instanceof Error ? cause.message : message });
  }
}

async function serviceLines(
  { entry, callbacks }: RunDeps,
  { service, account, serverId }: ConformanceTest & { readonly service: OwnService },
  zones: readonly Zone[],
): Promise<Line[]> {
  const current = followMerges(zones);
  const currentZone = (id: number) => current.get(id)?.serverId ?? id;
  const others = zones.map((each) => each.serverId).filter((id) => currentZone(id) !== currentZone(serverId));
  const otherServerId = others[0] ?? Math.max(...zones.map((each) => each.serverId)) + 1;
  return [
    ...(await entryLines(entry(currentZone), { service, account, serverId, otherServerId })),
    ...(await callbackLines(service, callbacks)),
  ];
}

export interface SetupDeps {
  /** The setting `game_servers.ip`. */
  readonly gameServers: readonly string[];
  readonly resolveHost: (name: string) => Promise<string[]>;
}

/** Checks that need no request. */
export async function setupLines(deps: SetupDeps, zone: Zone): Promise<Line[]> {
  return [zoneLine(zone), await callerLine(deps, zone)];
}

function zoneLine({ name, status, mergedInto }: Zone): Line {
  const judge = lineOf('setup', 'zone');
  if (mergedInto !== null) return judge('failed', 'zone.merged', { into: mergedInto });
  return judge('ok', 'zone.open', { name, status });
}

/** Addresses in the server table are recognised; names are not, because the owner of the name could admit others. */
async function callerLine({ gameServers, resolveHost }: SetupDeps, { address }: Zone): Promise<Line> {
  const judge = lineOf('setup', 'caller address');
  if (canonicalAddress(address) !== undefined) return judge('ok', 'caller.recognised', { address });
  const known = addressList(gameServers);
  const found = await resolveHost(address);
  if (found.some((each) => known.has(canonicalAddress(each) ?? each)))
    return judge('ok', 'caller.recognised', { address });
  return judge('failed', 'caller.unlisted', { address, found: found.join(', ') || '–' });
}
