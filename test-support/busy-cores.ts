import { availableParallelism } from 'node:os';
import { startProcess } from './process.ts';

/** Runs a busy loop on every core until it is disposed. `wrap` goes in front of the command. */
export async function keepCoresBusy(wrap: readonly string[] = []): Promise<AsyncDisposable> {
  const [command = '', ...args] = [...wrap, process.execPath, '-e', 'for (;;) ;'];
  const loops = await Promise.all(
    Array.from({ length: availableParallelism() }, () => startProcess({ command, args, ready: () => true })),
  );
  return { [Symbol.asyncDispose]: async () => void (await Promise.all(loops.map((loop) => loop.kill()))) };
}
