/** A host is taken back when it has been well for this long: one that stumbles again and again helps nobody. */
const PROBATION_MS = 2000;

/** A host as it was when a connection to it was opened. */
export interface Origin {
  readonly host: number;
  readonly epoch: number;
}

/**
 * Which host of a cluster is used: the first of the address that is well, so that all instances agree on one and their
 * writes do not meet on different nodes. It is left at once when it fails, and taken back when it is well again.
 */
export interface MysqlHosts {
  readonly count: number;
  present(): Origin;
  /** Whether connections opened there are still the ones to use. */
  isPresent(origin: Origin): boolean;
  /** Its connections are not trusted any more, new ones go elsewhere. */
  leave(origin: Origin): void;
  /** What the watch has found. */
  saw(host: number, well: boolean): void;
}

export function trackHosts(count: number, now: () => number = () => performance.now()): MysqlHosts {
  const states = Array.from({ length: count }, () => ({ epoch: 0, well: true, since: 0 }));
  const stateOf = (host: number) => states[host] ?? { epoch: 0, well: false, since: 0 };
  let present = 0;

  const originOf = (host: number): Origin => ({ host, epoch: stateOf(host).epoch });

  function leave({ host, epoch }: Origin): void {
    const state = stateOf(host);
    if (epoch !== state.epoch) return;
    state.epoch++;
    state.since = now();
    if (present !== host) return;
    const others = states.map((_, step) => (host + 1 + step) % count);
    present = others.find((other) => other !== host && stateOf(other).well) ?? others[0] ?? 0;
  }

  return {
    count,
    present: () => originOf(present),
    isPresent: ({ host, epoch }) => host === present && epoch === stateOf(host).epoch,
    leave,
    saw(host, well) {
      const state = stateOf(host);
      if (well !== state.well) state.since = now();
      state.well = well;
      if (!well) leave(originOf(host));
      else if (host < present && now() - state.since >= PROBATION_MS) present = host;
      else if (host !== present && !stateOf(present).well) present = host;
    },
  };
}
