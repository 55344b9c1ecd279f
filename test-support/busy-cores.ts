import { availableParallelism } from 'node:os';
import { startProcess } from './process.ts';

/** Runs a busy loop on every core until it is disposed. */
export async function keepCoresBusy(): Promise<AsyncDisposable> {
  const loop = { command: process.execPath, args: ['-e', 'for (;;) ;'], ready: () => true };
  const loops = await Promise.all(Array.from({ length: availableParallelism() }, () => startProcess(loop)));
  return { [Symbol.asyncDispose]: async () => void (await Promise.all(loops.map((loop) => loop.kill()))) };
}
