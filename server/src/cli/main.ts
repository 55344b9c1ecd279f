import { enableCompileCache } from 'node:module';

// Compiling what is imported takes longer than running it; from the second start on it is read from the cache.
enableCompileCache();
await import('./program.ts');
