/** A failed host is used again after it has been healthy for this long, to avoid flapping. */
const PROBATION_MS = 2000;

/** A host and its state when a connection was opened. */
export interface Origin {
  readonly host: number;
  readonly epoch: number;
}

/**
 * Selects the host of a cluster: the first healthy one in the URL, so that all instances agree and their writes do not conflict
 * on different nodes. Fails over at once, and fails back when the host has recovered.
 */
export interface MysqlHosts {
  readonly count: number;
  current(): Origin;
  /** Reports whether connections opened there may still be used. */
  isCurrent(origin: Origin): boolean;
  /** Retires the host's connections; new ones go to another host. */
  markFailed(origin: Origin): void;
  /** Records the result of a health check. */
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
