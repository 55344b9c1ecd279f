import { connect, type Socket } from 'node:net';
import type { MysqlHost } from './mysql-url.ts';

/** Which host of a cluster new connections go to. It changes when the present one fails, and stays until that fails. */
export interface MysqlHosts {
  readonly count: number;
  /** The number of the present host. */
  present(): number;
  connect(): Socket;
  /** New connections go elsewhere, unless they do so already. */
  leave(host: number): void;
  /** After a failure all idle connections to the same host are suspect too. */
  distrust(socket: Socket): void;
  isTrusted(socket: Socket): boolean;
  destroyAll(): void;
}

interface Origin {
  readonly host: number;
  readonly epoch: number;
}

const keepAliveInitialDelay = 10_000;

export function trackHosts(hosts: readonly [MysqlHost, ...MysqlHost[]]): MysqlHosts {
  const origins = new Map<Socket, Origin>();
  const epochs = new Map<number, number>();
  let present = 0;

  const epochOf = (host: number) => epochs.get(host) ?? 0;

  function leave(host: number): void {
    if (present === host) present = (host + 1) % hosts.length;
  }

  function isTrusted(socket: Socket): boolean {
    const origin = origins.get(socket);
    return origin !== undefined && origin.epoch === epochOf(origin.host);
  }

  return {
    count: hosts.length,
    present: () => present,
    leave,
    isTrusted,
    connect() {
      const { host, port } = hosts[present] ?? hosts[0];
      const socket = connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay });
      origins.set(socket, { host: present, epoch: epochOf(present) });
      socket.once('close', () => origins.delete(socket));
      return socket;
    },
    distrust(socket) {
      const origin = origins.get(socket);
      if (origin === undefined || !isTrusted(socket)) return;
      epochs.set(origin.host, origin.epoch + 1);
      leave(origin.host);
    },
    destroyAll() {
      for (const socket of origins.keys()) socket.destroy();
    },
  };
}
