import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { appears, type ImportBench } from './import-app.ts';

const entry = join(import.meta.dirname, '../../src/cli/main.ts');

export interface HeldImport {
  readonly child: ChildProcess;
  /** Lets it go on, and waits for its end. */
  goOn(): Promise<{ code: number | null; stderr: string }>;
}

/** Starts an import in small batches that stands still at its first checkpoint: it cannot end before it is met there. */
export async function holdImport(
  bench: ImportBench,
  { source, checkpoint }: { source: readonly string[]; checkpoint: string },
): Promise<HeldImport> {
  const released = `${checkpoint}.go-on`;
  const preload = `data:text/javascript,${encodeURIComponent(standStill(checkpoint, released))}`;
  const command = [entry, 'import', ...source, '--apply', '--batch', '50', '--config', bench.config];
  const child = spawn(process.execPath, ['--import', preload, ...command], {
    cwd: bench.folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [stderr, ended] = [text(child.stderr), once(child, 'close')];
  await appears(checkpoint);
  return {
    child,
    async goOn() {
      writeFileSync(released, '');
      const [code] = await ended;
      return { code, stderr: await stderr };
    },
  };
}

/** Runs in the import's own event loop, so that no delay of the test lets it slip by. */
function standStill(checkpoint: string, released: string): string {
  return `
    import { existsSync } from 'node:fs';
    const still = new Int32Array(new SharedArrayBuffer(4));
    const timer = setInterval(() => {
      if (!existsSync(${JSON.stringify(checkpoint)})) return;
      clearInterval(timer);
      while (!existsSync(${JSON.stringify(released)})) Atomics.wait(still, 0, 0, 5);
    }, 1);
    timer.unref();`;
}
