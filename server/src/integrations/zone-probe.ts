import { type PollLoop, pollLoop } from '../runtime/poll-loop.ts';
import { knock } from './knock.ts';

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
  /** What the last knock at the zone's game port brought; nothing where none was made. */
  last(zone: Zone): Probe | undefined;
  watch(zones: () => readonly Zone[]): void;
  close(): Promise<void>;
}

/** Knocks at each zone's game port now and then. Answers come from memory, so no request ever waits for a knock. */
export function startZoneProbe({ interval }: { interval: number }): ZoneProbe {
  let results: ReadonlyMap<number, Probe> = new Map();
  let knocking: PollLoop | undefined;

  return {
    last: (zone) => results.get(zone.serverId),
    watch(zones) {
      if (interval === 0) return;
      knocking = pollLoop(interval * 1000, async () => {
        const round = zones().map(async (zone) => [zone.serverId, await probe(zone)] as const);
        results = new Map(await Promise.all(round));
      });
    },
    close: async () => knocking?.close(),
  };
}

async function probe({ address, port }: Zone): Promise<Probe> {
  const started = performance.now();
  const fault = await knock(address, port);
  return { up: fault === undefined, latencyMs: Math.round(performance.now() - started) };
}
