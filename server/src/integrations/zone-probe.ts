import { type Job, startJob } from '../runtime/job.ts';
import { type AllowedHosts, HostNotAllowed } from './allowed-hosts.ts';
import { askPort } from './tcp-check.ts';

interface Zone {
  readonly serverId: number;
  readonly address: string;
  readonly port: number;
}

/** Checks each zone's game port periodically. Results are kept in memory, so that no request waits for a check. */
export function startZoneProbe({ interval, hosts }: { interval: number; hosts: AllowedHosts }) {
  let results: ReadonlyMap<number, boolean | undefined> = new Map();
  const isUp = ({ address, port }: Zone) =>
    askPort(hosts, address, port).then(
      () => true,
      (error) => (error instanceof HostNotAllowed ? undefined : false),
    );
  let checking: Job | undefined;

  return {
    /** Returns whether the zone's game port answered the last TCP check; undefined if there was none. */
    last: (zone: Pick<Zone, 'serverId'>) => results.get(zone.serverId),
    watch(zones: () => readonly Zone[]) {
      if (interval === 0) return;
      checking = startJob({
        intervalMs: interval * 1000,
        async work() {
          const round = zones().map(async (zone) => [zone.serverId, await isUp(zone)] as const);
          results = new Map(await Promise.all(round));
        },
      });
    },
    close: async () => checking?.close(),
  };
}
