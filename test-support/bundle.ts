import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { bundleServer } from '../scripts/release/bundle.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'server/dist');
const INPUTS = ['package-lock.json', 'scripts/release/bundle.ts', '{server,contract}/src/**/*.{ts,js,json}'];
const DAY_MS = 86_400_000;

/**
 * Bundles the service as a release does and returns its entry point. A test starts it in half the time of its sources. The
 * folder is named by a hash of the sources, so that an unchanged service is bundled once and runs may overlap.
 */
export async function bundledService(): Promise<string> {
  const hash = createHash('sha256');
  for (const file of globSync(INPUTS, { cwd: root }).sort())
    hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  const name = hash.digest('hex').slice(0, 16);
  const bundle = join(folder, name);
  const entry = join(bundle, 'main.js');
  if (existsSync(entry)) return entry;
  const staging = join(folder, `staging-${process.pid}`);
  await bundleServer({ root, folder: staging, dist: `server/dist/${name}` });
  try {
    renameSync(join(staging, 'server/dist', name), bundle);
  } catch (error) {
    // A concurrent run was faster.
    if (!existsSync(entry)) throw error;
  }
  rmSync(staging, { recursive: true });
  deleteOld();
  return entry;
}

function deleteOld(): void {
  for (const name of globSync('*', { cwd: folder })) {
    const path = join(folder, name);
    if (Date.now() - statSync(path).mtimeMs > DAY_MS) rmSync(path, { recursive: true, force: true });
  }
}
