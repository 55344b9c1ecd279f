import { connect } from 'node:net';

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
  close(): void;
}

/** Knocks at each zone's game port now and then. Answers come from memory, so no request ever waits for a knock. */
export function startZoneProbe({ interval }: { interval: number }): ZoneProbe {
  let results: ReadonlyMap<number, Probe> = new Map();
  let timer: NodeJS.Timeout | undefined;

  return {
    last: (zone) => results.get(zone.serverId),
    watch(zones) {
      if (interval === 0) return;
      timer = setInterval(async () => {
        const round = zones().map(async (zone) => [zone.serverId, await knock(zone)] as const);
        results = new Map(await Promise.all(round));
      }, interval * 1000).unref();
    },
    close: () => clearInterval(timer),
  };
}

function knock({ address, port }: Zone): Promise<Probe> {
  const started = performance.now();
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
