import { enableCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';

// An answer passes dozens of small functions of Node's streams; V8 joins them into one only if that one may be long.
// A tenth of the fastest routes, and less chance in how fast a process comes out.
setFlagsFromString('--max-inlined-bytecode-size-cumulative=5000');
// Compiling what is imported takes longer than running it; from the second start on it is read from the cache.
enableCompileCache();
// Whoever reads the output may have seen enough, as `head` has.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
const { runProgram } = await import('./program.ts');
await runProgram(process.argv.slice(2));
