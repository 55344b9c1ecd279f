import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { serviceEntry } from '../../../test-support/gatehouse.ts';
import type { ImportFixture } from './import-fixture.ts';

export interface PausedImport {
  readonly child: ChildProcess;
  /** Releases it, and waits for its end. */
  resume(): Promise<{ code: number | null; stderr: string }>;
}

/** Starts an import in small batches that blocks at its first checkpoint, so that the test can act before it ends. */
export async function startPausedImport(
  fixture: ImportFixture,
  { source, checkpoint }: { source: readonly string[]; checkpoint: string },
): Promise<PausedImport> {
  const released = `${checkpoint}.released`;
  const preload = `data:text/javascript,${encodeURIComponent(pauseScript(checkpoint, released))}`;
  const command = [
    serviceEntry(),
    'import',
    ...source,
    '--apply',
    '--batch',
    '50',
    '--config',
    fixture.config,
  ];
  const child = spawn(process.execPath, ['--import', preload, ...command], {
    cwd: fixture.folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [stderr, ended] = [text(child.stderr), once(child, 'close')];
  while (!existsSync(checkpoint)) {
    if (child.exitCode !== null) throw new Error(`the import ended early: ${await stderr}`);
    await sleep(5);
  }
  return {
    child,
    async resume() {
      writeFileSync(released, '');
      const [code] = await ended;
      return { code, stderr: await stderr };
    },
  };
}

/** Runs in the import's own event loop and blocks it, however slow the test is. */
function pauseScript(checkpoint: string, released: string): string {
  return `
    import { existsSync } from 'node:fs';
    const never = new Int32Array(new SharedArrayBuffer(4));
    const timer = setInterval(() => {
      if (!existsSync(${JSON.stringify(checkpoint)})) return;
      clearInterval(timer);
      while (!existsSync(${JSON.stringify(released)})) Atomics.wait(never, 0, 0, 5);
    }, 1);
    timer.unref();`;
}
