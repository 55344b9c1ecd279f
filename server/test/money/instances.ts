import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'smol-toml';
import { freePort, type RunningProcess, startProcess, tempDir } from '../../../test-support/process.ts';
import type { Failpoint } from '../../src/features/withdraw/process/failpoints.ts';

/** One service process, which can be killed and restarted on its port. */
export interface Instance {
  readonly url: string;
  /** Whether it answers, as far as the harness knows. */
  readonly isUp: boolean;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** Starts it, even if its database is down for long; with a failpoint, it kills itself there. */
  start(dieAt?: Failpoint): Promise<void>;
  /** Resolves when the current process has ended for any reason. */
  ended(): Promise<unknown>;
}

/** How a kind of service is started on a port; `dieAt` if supported. */
export type Launch = (options: { port: number; dieAt: Failpoint | undefined }) => string[];

const TIMEOUT_MS = 60_000;

export async function startInstance(launch: Launch, readyPath: string, dieAt?: Failpoint): Promise<Instance> {
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

  await start(dieAt);
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

/** The real service, from an entry point that can die at a failpoint. */
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
