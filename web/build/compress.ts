import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Below this, the headers weigh more than compression saves. */
const MIN_BYTES = 1000;

/** Writes brotli and gzip copies of compressible assets at maximum level; the service picks one by Accept-Encoding. */
export function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    writeBundle({ dir = '' }) {
      for (const file of globSync('assets/*.{js,css,svg}', { cwd: dir })) {
        const bytes = readFileSync(join(dir, file));
        if (bytes.length < MIN_BYTES) continue;
        writeFileSync(join(dir, `${file}.br`), brotliCompressSync(bytes));
        writeFileSync(join(dir, `${file}.gz`), gzipSync(bytes, { level: 9 }));
      }
    },
  };
}
