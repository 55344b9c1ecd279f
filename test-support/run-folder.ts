import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const variable = 'TEST_RUN_FOLDER';

/**
 * Returns the folder for everything a run writes. Test workers inherit it through the environment, so that the process that
 * created it can remove everything, even what a killed worker left behind.
 */
export function runFolder(): string {
  const known = process.env[variable];
  if (known !== undefined) return known;
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-run-'));
  process.env[variable] = folder;
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
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
