import { setTimeout as sleep } from 'node:timers/promises';
import { withTimeout } from '../runtime/with-timeout.ts';
import type { MysqlTarget } from '../urls/mysql-url.ts';
import { destroy, openConnection, query, type RawConnection } from './mysql-connection.ts';

/** A failed host is used again after it has been healthy for this long, to avoid flapping. */
const PROBATION_MS = 2000;

/** A host and its state when a connection was opened. */
export interface Origin {
  readonly host: number;
  readonly epoch: number;
}

/**
 * Selects the host of a cluster: the first healthy one in the URL, so that all instances agree and their writes do not conflict
 * on different nodes. Fails over immediately, and fails back when the host has recovered.
 */
export function trackHosts(count: number, now: () => number = () => performance.now()) {
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
    /** Reports whether connections opened there may still be used. */
    isCurrent: ({ host, epoch }: Origin) => host === current && epoch === stateOf(host).epoch,
    /** Retires the host's connections; new ones go to another host. */
    markFailed,
    /** Records the result of a health check. */
    reportHealth(host: number, healthy: boolean) {
      const state = stateOf(host);
      if (healthy !== state.healthy) state.since = now();
      state.healthy = healthy;
      if (!healthy) markFailed(originOf(host));
      else if (host < current && now() - state.since >= PROBATION_MS) current = host;
      else if (host !== current && !stateOf(current).healthy) current = host;
    },
  };
}

const INTERVAL_MS = 250;
/** A node that does not answer for this long is frozen or cut off, even if its connections look open. */
const TIMEOUT_MS = 1000;

/** Answered even by a node outside the cluster's majority. */
const STATUS_QUERY = `SHOW GLOBAL STATUS
  WHERE Variable_name IN ('wsrep_provider_name', 'wsrep_local_state', 'wsrep_ready')`;
const SYNCED = '4';

/** Health-checks every host of a cluster periodically, each over its own connection. */
export function watchHosts(
  target: MysqlTarget,
  reportHealth: (host: number, healthy: boolean) => void,
): () => void {
  const stop = new AbortController();
  for (const index of target.hosts.keys()) void watch(index);

  async function watch(index: number): Promise<void> {
    const host = target.hosts[index] ?? target.hosts[0];
    let connection: RawConnection | undefined;
    while (!stop.signal.aborted) {
      try {
        connection ??= await openConnection(target, host, TIMEOUT_MS);
        reportHealth(index, isHealthy(await inTime(query(connection, STATUS_QUERY, 0))));
      } catch {
        if (connection !== undefined) destroy(connection);
        connection = undefined;
        if (!stop.signal.aborted) reportHealth(index, false);
      }
      await sleep(INTERVAL_MS, undefined, { signal: stop.signal, ref: false }).catch(() => {});
    }
    if (connection !== undefined) destroy(connection);
  }

  return () => stop.abort();
}

const inTime = (answer: Promise<unknown>) =>
  withTimeout(answer, TIMEOUT_MS, () => new Error('no answer in time'), { ref: false });

function isHealthy(rows: unknown): boolean {
  const status = new Map(
    (rows as { Variable_name: string; Value: string }[]).map((row) => [row.Variable_name, row.Value]),
  );
  const isGalera = Boolean(status.get('wsrep_provider_name'));
  if (!isGalera) return true;
  return status.get('wsrep_ready') === 'ON' && status.get('wsrep_local_state') === SYNCED;
}
