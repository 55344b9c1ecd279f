import { registerHooks } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import './compile-cache.js';

const ONLY_MODULES = /\/node_modules\/(?:kysely|typebox|cockatiel|smol-toml)\//;
const BUNDLE = new URL('.', import.meta.url).href;
function formatOf(specifier: string, parentURL: string): string | false {
  if (specifier.endsWith('.ts')) return 'module-typescript';
  const isModule = parentURL.startsWith(BUNDLE) || ONLY_MODULES.test(parentURL);
  return specifier.endsWith('.js') && isModule && 'module';
}

// A response passes through dozens of small functions of Node's streams, which V8 inlines only up to this size. It saves a
// tenth of the time of the fastest routes and makes the speed of a process less random.
setFlagsFromString('--max-inlined-bytecode-size-cumulative=5000');
// The lines of the access log live until they are written. From that V8 may conclude that they and the contexts of requests live
// long, and allocate them in the old generation from then on: up to half of the time of the fastest routes, and twice the memory.
setFlagsFromString('--no-allocation-site-pretenuring');
// Before a full collection V8 lets the heap of an idle process grow to four times its live size, and that of a busy process by only
// an eighth. Half keeps an idle service small, and a busy one collects less often.
setFlagsFromString('--heap-growing-percent=50');
// A command imports some 600 small files, and Node spends more time on resolving each (does it exist, is it a link, what is its
// type in the nearest package.json) than on running it. Ours and those of these dependencies are known to be modules.
registerHooks({
  resolve(specifier, context, nextResolve) {
    const { parentURL = '' } = context;
    const format = specifier.startsWith('.') && formatOf(specifier, parentURL);
    if (!format) return nextResolve(specifier, context);
    return { url: new URL(specifier, parentURL).href, format, shortCircuit: true };
  },
});
// The reader of the output may close it early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
const { runProgram } = await import('./program.ts');
await runProgram(process.argv.slice(2));
