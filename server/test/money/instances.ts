import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'smol-toml';
import { freePort, type RunningProcess, startProcess, tempDir } from '../../../test-support/process.ts';
import type { Failpoint } from '../../src/features/withdraw/process/failpoints.ts';

/** One process of the service, which can be killed and started again on its port. */
export interface Instance {
  readonly url: string;
  /** Whether it answers as far as the harness knows. */
  readonly isUp: boolean;
  /** SIGKILL; settles when the process is gone. */
  kill(): Promise<void>;
  /** Starts it, however long its database is away; with a failpoint, it kills itself as soon as it gets there. */
  start(dieAt?: Failpoint): Promise<void>;
  /** Settles when the current process has ended by itself or otherwise. */
  ended(): Promise<unknown>;
}

/** How a kind of service is started on a port; `dieAt` only where it can. */
export type Launch = (options: { port: number; dieAt: Failpoint | undefined }) => string[];

const TIMEOUT_MS = 60_000;

export async function startInstance(launch: Launch, readyPath: string): Promise<Instance> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let current: RunningProcess | undefined;
  let isUp = false;

  async function start(dieAt?: Failpoint): Promise<void> {
    for (const deadline = Date.now() + TIMEOUT_MS; ; ) {
      try {
        return await launchOnce(dieAt);
      } catch (error) {
        if (String(error).includes('SIGKILL') && dieAt !== undefined) return;
        if (Date.now() > deadline) throw error;
      }
    }
  }

  async function launchOnce(dieAt: Failpoint | undefined): Promise<void> {
    const running = await startProcess({
      command: process.execPath,
      args: launch({ port, dieAt }),
      cwd: tempDir('money'),
      ready: async () => (await fetch(url + readyPath, { signal: AbortSignal.timeout(2000) })).ok,
      deadlineMs: TIMEOUT_MS,
    });
    current = running;
    isUp = true;
    void running.exited.then(() => {
      if (current === running) isUp = false;
    });
  }

  await start();
  return {
    url,
    get isUp() {
      return isUp;
    },
    kill: async () => current?.kill(),
    start,
    ended: async () => current?.exited,
  };
}

/** The real service, from the entry that can die at a failpoint. */
export function launchService(settings: Record<string, unknown>): Launch {
  const entry = join(import.meta.dirname, 'service.ts');
  const folder = tempDir('money-settings');
  return ({ port, dieAt }) => {
    const file = join(folder, `${port}.toml`);
    writeFileSync(file, stringify({ ...settings, port, host: '127.0.0.1' }));
    const arm = dieAt === undefined ? [] : ['--die-at', dieAt];
    return ['--no-memory-reducer', entry, '--config', file, ...arm];
  };
}

export function launchNaive(options: { database: string; games: string; gmUrls: object }): Launch {
  const { database, games, gmUrls } = options;
  const where = ['--database', database, '--games', games, '--gm-urls', JSON.stringify(gmUrls)];
  return ({ port }) => [join(import.meta.dirname, 'naive.ts'), '--port', String(port), ...where];
}
