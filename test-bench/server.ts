import { connect } from 'node:net';
import { type ProcessSpec, startProcess } from './process.ts';

export type RestartableServer = {
  readonly pid: number;
  /** What every process of this server has printed so far. */
  output(): string;
  stop(signal?: NodeJS.Signals): Promise<void>;
  kill(): Promise<void>;
  /** Stops it if it still runs, and starts it again with the same arguments, port and data. */
  restart(): Promise<void>;
};

export async function startServer(spec: ProcessSpec): Promise<RestartableServer> {
  let current = await startProcess(spec);
  let earlierOutput = '';
  return {
    get pid() {
      return current.pid;
    },
    output: () => earlierOutput + current.output(),
    stop: (signal) => current.stop(signal),
    kill: () => current.kill(),
    async restart() {
      await current.stop();
      earlierOutput += current.output();
      current = await startProcess(spec);
    },
  };
}

/** Sends one line (or nothing) and tells whether the answer begins as expected. */
export function answers(port: number, line = '', expected = ''): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const settle = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1000, () => settle(false));
    socket.once('error', () => settle(false));
    socket.once('close', () => settle(false));
    socket.once('connect', () => (expected === '' ? settle(true) : socket.write(line)));
    socket.once('data', (data) => settle(data.toString().startsWith(expected)));
  });
}
