import { connect } from 'node:net';
import { type Repeating, repeatedly } from '../repeatedly.ts';

const PATIENCE_MS = 2000;

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
  let knocking: Repeating | undefined;

  return {
    last: (zone) => results.get(zone.serverId),
    watch(zones) {
      if (interval === 0) return;
      knocking = repeatedly(interval * 1000, async () => {
        const round = zones().map(async (zone) => [zone.serverId, await knock(zone)] as const);
        results = new Map(await Promise.all(round));
      });
    },
    close: async () => knocking?.close(),
  };
}

function knock({ address, port }: Zone): Promise<Probe> {
  const started = performance.now();
  // The table is the operator's to write, and some numbers are no port.
  if (port < 1 || port > 65535) return Promise.resolve({ up: false, latencyMs: 0 });
  return new Promise((resolve) => {
    const socket = connect({ host: address, port, timeout: PATIENCE_MS });
    const settle = (up: boolean) => {
      socket.destroy();
      resolve({ up, latencyMs: Math.round(performance.now() - started) });
    };
    socket.once('connect', () => settle(true));
    socket.once('timeout', () => settle(false));
    socket.once('error', () => settle(false));
  });
}
