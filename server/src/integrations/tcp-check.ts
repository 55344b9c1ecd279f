import { connect } from 'node:net';
import { type AllowedHosts, allowedHosts } from './allowed-hosts.ts';

const TIMEOUT_MS = 2000;

/** Opens and closes a TCP connection. Returns undefined if the port accepts, otherwise the reason. */
export type TcpCheck = (host: string, port: number) => Promise<string | undefined>;

/** Checks only hosts that zones may name: `zones.allowed_hosts`. */
export function tcpCheck(allowed: readonly string[]): TcpCheck {
  const hosts = allowedHosts(allowed);
  return (host, port) =>
    askPort(hosts, host, port).then(
      () => undefined,
      (error) => error.message || error.code,
    );
}

/** Opens and closes a TCP connection. Rejects if the port does not accept, and with HostNotAllowed if it may not be contacted. */
export async function askPort(hosts: AllowedHosts, host: string, port: number): Promise<void> {
  // Operators write the table, so the number may not be a valid port.
  if (port < 1 || port > 65535) throw new Error(`${port} is no port`);
  hosts.refuseAddress(host);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect({ host, port, timeout: TIMEOUT_MS, lookup: hosts.lookup });
  socket.once('connect', resolve);
  // Reads pending input before rejecting: if this process was suspended, the port is not at fault.
  const tooLate = () => reject(new Error(`no answer within ${TIMEOUT_MS / 1000} s`));
  socket.once('timeout', () => setImmediate(tooLate));
  socket.once('error', reject);
  await promise.finally(() => socket.destroy());
}
