import { type Job, startJob } from '../runtime/job.ts';
import { tcpCheck } from './tcp-check.ts';

interface Zone {
  readonly serverId: number;
  readonly address: string;
  readonly port: number;
}

export interface ZoneProbe {
  /** Returns whether the zone's game port answered the last TCP check; undefined if there was none. */
  last(zone: Pick<Zone, 'serverId'>): boolean | undefined;
  watch(zones: () => readonly Zone[]): void;
  close(): Promise<void>;
}

/** Checks each zone's game port periodically. Results are kept in memory, so that no request waits for a check. */
export function startZoneProbe({ interval }: { interval: number }): ZoneProbe {
  let results: ReadonlyMap<number, boolean> = new Map();
  let checking: Job | undefined;

  return {
    last: (zone) => results.get(zone.serverId),
    watch(zones) {
      if (interval === 0) return;
      checking = startJob({
        intervalMs: interval * 1000,
        async work() {
          const round = zones().map(async ({ serverId, address, port }) => {
            const fault = await tcpCheck(address, port);
            return [serverId, fault === undefined] as const;
          });
          results = new Map(await Promise.all(round));
        },
      });
    },
    close: async () => checking?.close(),
  };
}
