import { connect } from 'node:net';
import { type ProcessSpec, startProcess } from './process.ts';

export type RestartableServer = {
  readonly pid: number;
  /** The output of all its processes so far. */
  output(): string;
  stop(signal?: NodeJS.Signals): Promise<void>;
  kill(): Promise<void>;
  freeze(): void;
  thaw(): void;
  /** Whether its current process is running. */
  readonly isRunning: boolean;
  /** Stops it if it is running, and starts it again with the same arguments, port and data. */
  restart(): Promise<void>;
};

/** Starts a server. A function as `spec` is called at each start. */
export async function startServer(
  spec: ProcessSpec | (() => Promise<ProcessSpec>),
): Promise<RestartableServer> {
  const start = async () => startProcess(typeof spec === 'function' ? await spec() : spec);
  let current = await start();
  let earlierOutput = '';
  return {
    get pid() {
      return current.pid;
    },
    output: () => earlierOutput + current.output(),
    stop: (signal) => current.stop(signal),
    kill: () => current.kill(),
    freeze: () => current.freeze(),
    thaw: () => current.thaw(),
    get isRunning() {
      return current.isRunning();
    },
    async restart() {
      await current.stop();
      const output = current.output();
      current = await start();
      earlierOutput += output;
    },
  };
}

/** Sends one line (or nothing) and reports whether the answer begins as expected. */
export async function answers(port: number, line = '', expected = ''): Promise<boolean> {
  const answer = await ask(port, line).catch(() => undefined);
  return answer?.startsWith(expected) ?? false;
}

/** Sends one line and returns the first data received; without a line, an accepted connection is enough. */
export function ask(port: number, line = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const settle = (answer: string | undefined) => {
      socket.destroy();
      if (answer === undefined) reject(new Error(`no answer at port ${port}`));
      else resolve(answer);
    };
    socket.setTimeout(1000, () => settle(undefined));
    socket.once('error', () => settle(undefined));
    socket.once('close', () => settle(undefined));
    socket.once('connect', () => (line === '' ? settle('') : socket.write(line)));
    socket.once('data', (data) => settle(data.toString()));
  });
}
