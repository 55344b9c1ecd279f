import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { runProgram } from '../server/src/cli/program.ts';
import { type CliResult, cleanEnvironment } from './gatehouse.ts';

interface CommandOptions {
  config: string;
  env?: NodeJS.ProcessEnv;
  input?: string;
}

let earlier: Promise<unknown> = Promise.resolve();

/**
 * Like `runCli`, but in this process: for tests of what a command does, not of how it starts and ends. A process costs more than
 * most commands. Commands are serialized, because they print to one stream.
 */
export function runCommand(args: readonly string[], options: CommandOptions): Promise<CliResult> {
  const result = earlier.then(() => runNow(args, options));
  earlier = result.catch(() => {});
  return result;
}

async function runNow(
  args: readonly string[],
  { config, env, input = '' }: CommandOptions,
): Promise<CliResult> {
  using stack = new DisposableStack();
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    replace(stack, process[name], 'write', (piece: string | Uint8Array, ...rest: unknown[]) => {
      printed[name] += typeof piece === 'string' ? piece : Buffer.from(piece).toString();
      const written = rest.at(-1);
      if (typeof written === 'function') process.nextTick(written);
      return true;
    });
  }
  replace(stack, process, 'stdin', Readable.from([Buffer.from(input)]));
  replace(stack, process, 'env', cleanEnvironment(env));
  const { exitCode } = process;
  const folder = process.cwd();
  stack.defer(() => {
    process.exitCode = exitCode;
    process.chdir(folder);
  });
  process.chdir(dirname(config));
  process.exitCode = 0;
  await runProgram([...args, '--config', config]);
  return { code: Number(process.exitCode), ...printed };
}

/** Replaces a property until the stack is disposed. */
function replace(stack: DisposableStack, target: object, name: string, value: unknown): void {
  const own = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, { configurable: true, writable: true, value });
  stack.defer(() => {
    if (own) Object.defineProperty(target, name, own);
    else Reflect.deleteProperty(target, name);
  });
}
