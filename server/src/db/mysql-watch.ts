import { setImmediate as afterInput, setTimeout as sleep } from 'node:timers/promises';
import type { MysqlTarget } from '../urls/mysql-url.ts';
import { destroy, openConnection, query, type RawConnection } from './mysql-connection.ts';

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

/** Unlike withTimeout, reads pending input before rejecting: if this process was suspended, the host is not at fault. */
async function inTime(answer: Promise<unknown>): Promise<unknown> {
  const late = Symbol('late');
  const timer = new AbortController();
  const deadline = sleep(TIMEOUT_MS, late, { signal: timer.signal, ref: false })
    .then(() => afterInput(late))
    .catch(() => late);
  try {
    const first = await Promise.race([answer, deadline]);
    if (first === late) throw new Error('no answer in time');
    return first;
  } finally {
    timer.abort();
  }
}

function isHealthy(rows: unknown): boolean {
  const status = new Map(
    (rows as { Variable_name: string; Value: string }[]).map((row) => [row.Variable_name, row.Value]),
  );
  const isGalera = Boolean(status.get('wsrep_provider_name'));
  if (!isGalera) return true;
  return status.get('wsrep_ready') === 'ON' && status.get('wsrep_local_state') === SYNCED;
}
