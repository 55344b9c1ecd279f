import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { readArguments } from './settings/arguments.ts';

// `npm start`: reports problems before building the pages, and prints build output only on failure.
const args = process.argv.slice(2);

/** Returns why the port cannot be listened on, or undefined. */
function portTrouble(port: number, host: string): Promise<string | undefined> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'error'));
    probe.listen(port, host, () => probe.close(() => resolve(undefined)));
  });
}

function build(): Promise<{ ok: boolean; output: string }> {
  const child = spawn('npm', ['run', 'build', '--silent'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      output += bytes;
    });
  return new Promise((resolve) => child.once('close', (code) => resolve({ ok: code === 0, output })));
}

async function start(): Promise<void> {
  const { port, host, help } = readArguments(args);
  if (!help) {
    const trouble = await portTrouble(port, host);
    if (trouble === 'EADDRINUSE')
      throw new Error(
        `port ${port} is in use; stop what uses it, or choose another: npm start -- --port ${port + 100}`,
      );
    if (trouble === 'EACCES') throw new Error(`no right to use port ${port}`);
    console.log('playground: building the pages if they changed, a few seconds');
    const { ok, output } = await build();
    if (!ok) throw new Error(`the pages could not be built\n${output}`);
  }
  await import('./main.ts');
}

start().catch((error: Error) => {
  for (const line of error.message.split('\n')) console.error(`playground: ${line}`);
  process.exit(1);
});
