import { mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const variable = 'TEST_RUN_FOLDER';
const MEMORY_FOLDER = '/dev/shm';
const MEMORY_NEEDED = 6 * 1024 ** 3;

/**
 * Returns the folder for everything a run writes, created in `parent` by the first call. Test workers inherit it through the
 * environment, so that the process that created it can remove everything, even what a killed worker left behind.
 */
export function runFolder(parent?: string): string {
  const known = process.env[variable];
  if (known !== undefined) return known;
  const folder = mkdtempSync(join(parent ?? fastestFolder(), 'gatehouse-run-'));
  process.env[variable] = folder;
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/**
 * Returns the memory file system if it has room, otherwise the system's temporary folder. On a disk the tests spend more time in
 * SQLite's commits than in anything else.
 */
function fastestFolder(): string {
  try {
    const options = / \/dev\/shm tmpfs (\S+)/.exec(readFileSync('/proc/mounts', 'utf8'))?.[1]?.split(',');
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    // Some tests run programs that they write.
    const isUsable = options?.includes('noexec') === false && bavail * bsize >= MEMORY_NEEDED;
    return isUsable ? MEMORY_FOLDER : tmpdir();
  } catch {
    return tmpdir();
  }
}

export function tempDir(name: string): string {
  return mkdtempSync(join(runFolder(), `${name}-`));
}

/**
 * Returns a free port below the ephemeral range, so that no client can take the port of a restarting server. A folder per port
 * keeps parallel workers apart.
 */
export async function freePort(): Promise<number> {
  const claims = join(runFolder(), 'ports');
  mkdirSync(claims, { recursive: true });
  for (let attempt = 0; attempt < 200; attempt++) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if (claim(join(claims, String(port))) && (await canListen(port))) return port;
  }
  throw new Error('no free port found between 20000 and 32000');
}

function claim(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
