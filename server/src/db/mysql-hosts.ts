/** A host is used again when it has been healthy for this long, so that one that fails repeatedly is not. */
const PROBATION_MS = 2000;

/** A host as it was when a connection to it was opened. */
export interface Origin {
  readonly host: number;
  readonly epoch: number;
}

/**
 * Which host of a cluster is used: the first of the address that is healthy, so that all instances agree on one and their
 * writes do not conflict on different nodes. Another is used as soon as it fails, and this one again when it has recovered.
 */
export interface MysqlHosts {
  readonly count: number;
  current(): Origin;
  /** Whether connections opened there are still the ones to use. */
  isCurrent(origin: Origin): boolean;
  /** Its connections are not used any more, new ones go to another host. */
  markFailed(origin: Origin): void;
  /** The result of a health check. */
  reportHealth(host: number, healthy: boolean): void;
}

export function trackHosts(count: number, now: () => number = () => performance.now()): MysqlHosts {
  const states = Array.from({ length: count }, () => ({ epoch: 0, healthy: true, since: 0 }));
  const stateOf = (host: number) => states[host] ?? { epoch: 0, healthy: false, since: 0 };
  let current = 0;

  const originOf = (host: number): Origin => ({ host, epoch: stateOf(host).epoch });

  function markFailed({ host, epoch }: Origin): void {
    const state = stateOf(host);
    if (epoch !== state.epoch) return;
    state.epoch++;
    state.since = now();
    if (current !== host) return;
    const others = states.map((_, step) => (host + 1 + step) % count);
    current = others.find((other) => other !== host && stateOf(other).healthy) ?? others[0] ?? 0;
  }

  return {
    count,
    current: () => originOf(current),
    isCurrent: ({ host, epoch }) => host === current && epoch === stateOf(host).epoch,
    markFailed,
    reportHealth(host, healthy) {
      const state = stateOf(host);
      if (healthy !== state.healthy) state.since = now();
      state.healthy = healthy;
      if (!healthy) markFailed(originOf(host));
      else if (host < current && now() - state.since >= PROBATION_MS) current = host;
      else if (host !== current && !stateOf(current).healthy) current = host;
    },
  };
}
