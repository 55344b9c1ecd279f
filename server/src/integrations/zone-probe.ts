import { type PollLoop, pollLoop } from '../runtime/poll-loop.ts';
import { tcpCheck } from './tcp-check.ts';

export interface Probe {
  readonly up: boolean;
  readonly latencyMs: number;
}

interface Zone {
  readonly serverId: number;
  readonly address: string;
  readonly port: number;
}

export interface ZoneProbe {
  /** The last TCP check of the zone’s game port; undefined where none was made. */
  last(zone: Pick<Zone, 'serverId'>): Probe | undefined;
  watch(zones: () => readonly Zone[]): void;
  close(): Promise<void>;
}

/** Checks each zone’s game port periodically. Results come from memory, so no request ever waits for a check. */
export function startZoneProbe({ interval }: { interval: number }): ZoneProbe {
  let results: ReadonlyMap<number, Probe> = new Map();
  let checking: PollLoop | undefined;

  return {
    last: (zone) => results.get(zone.serverId),
    watch(zones) {
      if (interval === 0) return;
      checking = pollLoop(interval * 1000, async () => {
        const round = zones().map(async (zone) => [zone.serverId, await probe(zone)] as const);
        results = new Map(await Promise.all(round));
      });
    },
    close: async () => checking?.close(),
  };
}

async function probe({ address, port }: Zone): Promise<Probe> {
  const started = performance.now();
  const fault = await tcpCheck(address, port);
  return { up: fault === undefined, latencyMs: Math.round(performance.now() - started) };
}
