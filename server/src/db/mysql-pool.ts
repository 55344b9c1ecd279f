import { doneWithin } from '../runtime/with-timeout.ts';
import { describeTarget, type MysqlTarget } from '../urls/mysql-url.ts';
import { DatabaseUnavailable } from './errors.ts';
import type { DatabaseLimits } from './limits.ts';
import { cut, destroy, killQuery, openSessionConnection, type RawConnection } from './mysql-connection.ts';
import { type Origin, trackHosts, watchHosts } from './mysql-hosts.ts';

const MAX_CONNECTIONS = 32;
const MAX_WAITERS = 2048;
const CONNECT_TIMEOUT_MS = 3000;
/** Shorter, because another host can take over. */
const CLUSTER_CONNECT_TIMEOUT_MS = 1000;
const CLOSE_TIMEOUT_MS = 3000;
/** After one that could not be opened, while others are open. */
const REOPEN_AFTER_MS = 250;
const CLOSED = 'the database is closed';

interface Waiter {
  readonly give: (connection: RawConnection) => void;
  readonly refuse: (error: unknown) => void;
  /** Clears its timer and removes it from the queue. */
  leaveQueue(): void;
}

/** Replaces mysql2's own pool, which never wakes its waiters when connections break and does not support several hosts. */
export function openPool(
  target: MysqlTarget,
  { acquireMs, lockWaitS }: Pick<DatabaseLimits, 'acquireMs' | 'lockWaitS'>,
) {
  const hosts = trackHosts(target.hosts.length);
  const isCluster = hosts.count > 1;
  const connections = new Map<RawConnection, Origin>();
  const idle: RawConnection[] = [];
  const waiters = new Set<Waiter>();
  let opening = 0;
  /** Why the last connection could not be opened; undefined if it was. */
  let openFailure: unknown;
  let closed = false;
  const stopWatching = isCluster ? watchHosts(target, reportHealth) : () => {};

  /** Cuts the connections to an unhealthy host: their statements might wait forever. */
  function reportHealth(host: number, healthy: boolean): void {
    hosts.reportHealth(host, healthy);
    if (healthy) return;
    for (const [connection, origin] of connections)
      if (origin.host === host) cut(connection, 'the database host is not healthy');
  }

  async function acquire(): Promise<RawConnection> {
    if (closed) throw new DatabaseUnavailable(CLOSED);
    for (let connection = idle.pop(); connection !== undefined; connection = idle.pop()) {
      if (isCurrent(connection)) return connection;
      destroy(connection);
    }
    const waiting = queue(hasRoom() ? Math.max(openWithinMs, acquireMs) : acquireMs);
    openForWaiters();
    return waiting;
  }

  /**
   * Opens a connection if more callers wait than connections are being opened. Opening may be slow, so a waiter takes whichever
   * connection is free first, new or released.
   */
  function openForWaiters(): void {
    if (waiters.size > opening && hasRoom()) open().then(useOpened, handleFailedOpening);
  }

  function useOpened(connection: RawConnection): void {
    release(connection);
    openForWaiters();
  }

  /** If nothing is open, refuses the waiter that the connection was for, or all if no other is being opened. */
  function handleFailedOpening(error: unknown): void {
    if (connections.size > 0) setTimeout(openForWaiters, REOPEN_AFTER_MS).unref();
    else refuse(opening > 0 ? [...waiters].slice(0, 1) : waiters, error);
  }

  function refuse(refused: Iterable<Waiter>, error: unknown): void {
    for (const waiter of refused) {
      waiter.leaveQueue();
      waiter.refuse(error);
    }
  }

  const hasRoom = () => connections.size + opening < MAX_CONNECTIONS;

  function isCurrent(connection: RawConnection): boolean {
    const origin = connections.get(connection);
    return origin !== undefined && hosts.isCurrent(origin);
  }

  async function open(): Promise<RawConnection> {
    opening++;
    try {
      for (let failures = 1; ; failures++) {
        const origin = hosts.current();
        try {
          const connection = await openAt(origin);
          openFailure = undefined;
          return connection;
        } catch (error) {
          // With one host, the open connections may still work.
          if (isCluster) hosts.markFailed(origin);
          openFailure = error;
          if (failures >= hosts.count) throw unavailable(error);
        }
      }
    } finally {
      opening--;
    }
  }

  const hostOf = (origin: Origin) => target.hosts[origin.host] ?? target.hosts[0];
  const timeoutMs = isCluster ? CLUSTER_CONNECT_TIMEOUT_MS : CONNECT_TIMEOUT_MS;
  const openWithinMs = hosts.count * timeoutMs;

  async function openAt(origin: Origin): Promise<RawConnection> {
    const connection = await openSessionConnection(target, hostOf(origin), { timeoutMs, lockWaitS });
    if (closed) {
      destroy(connection);
      throw new Error(CLOSED);
    }
    connections.set(connection, origin);
    connection.stream.once('close', () => forget(connection));
    return connection;
  }

  function forget(connection: RawConnection): void {
    connections.delete(connection);
    const place = idle.indexOf(connection);
    if (place >= 0) idle.splice(place, 1);
    openForWaiters();
  }

  function queue(withinMs: number): Promise<RawConnection> {
    if (waiters.size >= MAX_WAITERS)
      throw unavailable(new Error('too many requests are waiting for a connection'));
    return new Promise((give, refuse) => {
      const timer = setTimeout(() => {
        waiters.delete(waiter);
        refuse(unavailable(openFailure ?? new Error(`no free connection within ${withinMs / 1000} s`)));
      }, withinMs);
      const waiter: Waiter = {
        give,
        refuse,
        leaveQueue() {
          clearTimeout(timer);
          waiters.delete(waiter);
        },
      };
      waiters.add(waiter);
    });
  }

  function release(connection: RawConnection): void {
    const [waiter] = waiters;
    if (!isCurrent(connection)) destroy(connection);
    else if (waiter === undefined) idle.push(connection);
    else {
      waiter.leaveQueue();
      waiter.give(connection);
    }
  }

  function unavailable(error: unknown): DatabaseUnavailable {
    // A failed connection to "localhost" has no message, only a code.
    const reason = error instanceof Error ? error.message || Reflect.get(error, 'code') : error;
    return new DatabaseUnavailable(`cannot use the database ${describeTarget(target)}: ${reason}`, {
      cause: error,
    });
  }

  return {
    /** Bounded in time and in the number of waiters. Fails over to another host of a cluster. */
    acquire,
    release,
    /** Destroys a broken connection and replaces all others to the same host. */
    discard(connection: RawConnection) {
      const origin = connections.get(connection);
      if (origin !== undefined) hosts.markFailed(origin);
      destroy(connection);
    },
    /**
     * Destroys a connection whose statement took too long, and ends the statement on the server. The other connections stay,
     * unless their host no longer answers.
     */
    abandon(connection: RawConnection, runningForMs: number) {
      const origin = connections.get(connection);
      const { threadId } = connection;
      destroy(connection);
      if (origin === undefined || closed) return;
      // The server counts whole seconds, and began later than we did.
      const runningForS = Math.max(0, Math.floor(runningForMs / 1000) - 1);
      killQuery(target, hostOf(origin), { threadId, runningForS, timeoutMs }).catch(() =>
        hosts.markFailed(origin),
      );
    },
    load: () => ({
      waiting: waiters.size,
      connections: { busy: connections.size - idle.length, idle: idle.length },
    }),
    async close() {
      closed = true;
      stopWatching();
      refuse(waiters, new DatabaseUnavailable(CLOSED));
      const ended = Array.from(connections.keys(), (connection) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        connection.end(() => resolve());
        return promise;
      });
      await doneWithin(Promise.all(ended), CLOSE_TIMEOUT_MS);
      for (const connection of connections.keys()) destroy(connection);
    },
  };
}

export type MysqlPool = ReturnType<typeof openPool>;
