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
  (zone: Zone): Probe | undefined;
  close(): void;
}

/** Knocks at each zone's game port now and then. Answers come from memory, so no request ever waits for a knock. */
export function startZoneProbe({
  interval,
  zones,
}: {
  interval: number;
  zones: () => readonly Zone[];
}): ZoneProbe {
  const results = new Map<number, Probe>();

  async function round(): Promise<void> {
    const current = zones();
    await Promise.all(current.map(async (zone) => results.set(zone.serverId, await knock(zone))));
    const known = new Set(current.map((zone) => zone.serverId));
    for (const serverId of results.keys()) if (!known.has(serverId)) results.delete(serverId);
  }

  const timer = interval > 0 ? setInterval(round, interval * 1000).unref() : undefined;
  return Object.assign((zone: Zone) => results.get(zone.serverId), { close: () => clearInterval(timer) });
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
