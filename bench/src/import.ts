import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { stringify } from 'smol-toml';
import { tempDir } from '../../test-support/process.ts';
import { fillMariadb, fillSqlite } from './fill.ts';
import type { MeasurementContext } from './measurement.ts';
import type { Finding } from './report.ts';
import { accountOf, emailOf, hashOf, JWT_SECRET, PASSWORD_KEY } from './test-data.ts';

const command = join(import.meta.dirname, '../../server/src/cli/main.ts');

/** Imports old accounts from a CSV file, checked and durable, compared with rows written directly without checks. */
export async function measureImport({ server, options }: MeasurementContext): Promise<Finding[]> {
  const rows = options.quick ? 50_000 : 500_000;
  const csv = await writeCsv(rows);
  const sqlite = () => Promise.resolve(`sqlite:${join(tempDir('import'), 'players.db')}`);
  const findings: Finding[] = [];
  for (const [engine, fresh, fill] of [
    ['SQLite', sqlite, (url: string) => fillSqlite(url.slice('sqlite:'.length), rows)],
    ['MariaDB', server.createDatabase, (url: string) => fillMariadb(url, rows)],
  ] as const) {
    const url = await fresh();
    const own = await seconds(() => importCsv(csv, url));
    const other = await fresh();
    const blind = await seconds(() => fill(other));
    findings.push({
      what: `import, ${engine}`,
      figure: `${Math.round(rows / own / 1000)},000 rows/s, ${(blind / own).toFixed(2)} of blind writing`,
    });
  }
  return findings;
}

async function writeCsv(rows: number): Promise<string> {
  const file = join(tempDir('csv'), 'old.csv');
  function* lines() {
    yield 'account,password_hash,email\n';
    for (let id = 1; id <= rows; id++) yield `${accountOf(id)},${hashOf(id)},${emailOf(id)}\n`;
  }
  await pipeline(Readable.from(lines()), createWriteStream(file));
  return file;
}

async function importCsv(csv: string, url: string): Promise<void> {
  const folder = tempDir('import-settings');
  const config = join(folder, 'gatehouse.toml');
  const auth = { password_key: PASSWORD_KEY, jwt_secret: JWT_SECRET };
  await writeFile(config, stringify({ auth, database: { url } }));
  const args = ['--no-memory-reducer', command, 'import', '--csv', csv, '--apply', '--config', config];
  await promisify(execFile)(process.execPath, args, { cwd: folder });
}

async function seconds(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}
