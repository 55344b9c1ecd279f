import { connect } from 'node:net';

const TIMEOUT_MS = 2000;

/** Opens and closes a TCP connection. Returns undefined if the port accepts, otherwise the reason. */
export function tcpCheck(host: string, port: number): Promise<string | undefined> {
  // Operators write the table, so the number may not be a valid port.
  if (port < 1 || port > 65535) return Promise.resolve(`${port} is no port`);
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: TIMEOUT_MS });
    const settle = (fault?: string) => {
      socket.destroy();
      resolve(fault);
    };
    socket.once('connect', () => settle());
    socket.once('timeout', () => settle(`no answer within ${TIMEOUT_MS / 1000} s`));
    socket.once('error', (error) => settle(error.message || (error as NodeJS.ErrnoException).code));
  });
}
