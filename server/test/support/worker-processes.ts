import { execFileSync } from 'node:child_process';
import type { Gatehouse } from '../../../test-support/gatehouse.ts';

/** The processes of a service started with `--workers`. */
export function workerProcesses(service: () => Gatehouse) {
  function processes(): number[] {
    const args = ['-o', 'pid=', '--ppid', String(service().pid)];
    return execFileSync('ps', args, { encoding: 'utf8' }).split('\n').filter(Boolean).map(Number);
  }

  return {
    processes,
    /** Returns running processes that have logged that they listen. */
    workers(): number[] {
      const pids = processes();
      const listening = new Set(
        service()
          .logs()
          .flatMap((line) => (line.msg === 'listening' ? [Number(line.pid)] : [])),
      );
      return pids.filter((pid) => listening.has(pid)).sort();
    },
    /** Uses a new connection per request, so that requests spread over the workers. */
    ask: (path: string, init: RequestInit = {}) =>
      fetch(service().url + path, { ...init, headers: { connection: 'close', ...init.headers } }),
  };
}
