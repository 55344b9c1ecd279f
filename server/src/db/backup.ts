import { existsSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const BUSY_TIMEOUT_MS = 10_000;

/**
 * Copies the database as of one moment, while the service keeps writing. The target is complete, checked and synced, or absent.
 */
export async function backupSqlite(
  source: string,
  target: string,
): Promise<{ readonly file: string; readonly bytes: number; readonly accounts: number }> {
  const file = resolve(target);
  if (!existsSync(source)) throw new Error(`there is no database ${resolve(source)}`);
  if (existsSync(file)) throw new Error(`${file} already exists; choose another name or remove it`);
  const draft = `${file}.part`;
  try {
    await rm(draft, { force: true });
    // The copy holds password hashes, so create it readable by the owner only.
    await (await open(draft, 'wx', 0o600)).close();
    copy(source, draft);
    const accounts = checked(draft);
    await synced(draft);
    await rename(draft, file);
    await synced(dirname(file));
    return { file, accounts, bytes: (await stat(file)).size };
  } finally {
    await rm(draft, { force: true });
  }
}

/** VACUUM INTO reads one snapshot, so writers neither wait for it nor restart it. */
function copy(source: string, target: string): void {
  const database = new DatabaseSync(source, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    database.prepare('VACUUM INTO ?').run(target);
  } finally {
    database.close();
  }
}

function checked(file: string): number {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const verdict = Object.values(database.prepare('PRAGMA integrity_check').get() ?? {})[0];
    if (verdict !== 'ok') throw new Error(`the copy is damaged: ${verdict}`);
    return Number(database.prepare('SELECT count(*) AS n FROM player').get()?.n);
  } finally {
    database.close();
  }
}

async function synced(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
