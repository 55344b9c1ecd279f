import { lstatSync, mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Compiling the imports takes longer than running them, so Node reads the compiled code from a cache from the second start on.
// The cache is executed, so its folder must belong to this user: Node's default is a folder that another user could create first.
const uid = process.getuid?.() ?? 0;
const folder = join(tmpdir(), `gatehouse-compile-cache-${uid}`);
try {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  if (found.isDirectory() && found.uid === uid && (found.mode & 0o022) === 0) enableCompileCache(folder);
} catch {
  // Start without the cache, which only takes longer.
}
