import { lstatSync, mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Compiling what is imported takes longer than running it; from the second start on it is read from the cache. What stands in
// the cache is run, so the folder is this user's alone: Node's own choice lies in one that whoever comes first may make.
const uid = process.getuid?.() ?? 0;
const folder = join(tmpdir(), `gatehouse-compile-cache-${uid}`);
try {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  if (found.isDirectory() && found.uid === uid && (found.mode & 0o022) === 0) enableCompileCache(folder);
} catch {
  // Without it a start takes longer.
}
