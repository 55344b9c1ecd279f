import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export interface Child {
  /** Returns the next line it prints; undefined if it has ended. */
  line(): Promise<string | undefined>;
  say(text: string): void;
  kill(): Promise<void>;
}

/** Runs one of the scripts of this folder in its own process. */
export function startChild(script: string, ...args: string[]): Child {
  const file = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const lines = linesOf(child.stdout);
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(kill);
  return {
    line: async () => (await lines.next()).value ?? undefined,
    say: (text) => void child.stdin.write(`${text}\n`),
    kill,
  };
}

async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string, undefined> {
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  return undefined;
}
