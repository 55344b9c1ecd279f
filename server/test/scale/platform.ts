import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startMariadb } from '../../../test-support/mariadb.ts';
import { tempDir } from '../../../test-support/process.ts';
import { type EngineName, fill } from './fill.ts';
import { prepare } from './prepare.ts';

/** Enough for the tables and indexes of a million players, as on a production machine. */
const MARIADB_ARGS = [
  '--innodb-buffer-pool-size=4G',
  '--innodb-log-file-size=1G',
  '--innodb-flush-log-at-trx-commit=2',
  '--innodb-sort-buffer-size=64M',
];

export interface Platforms {
  /** Returns the URL of a filled database with this many players. */
  open(players: number): Promise<string>;
  close(): Promise<void>;
}

/** Opens filled databases. In a given folder they are kept and reused by the next run. */
export async function openPlatforms(engine: EngineName, kept: string | undefined): Promise<Platforms> {
  const folder = kept === undefined ? tempDir('scale') : resolve(kept);
  mkdirSync(folder, { recursive: true });
  const mariadb =
    engine === 'mysql'
      ? await startMariadb({ args: MARIADB_ARGS, dataDir: join(folder, 'mariadb') })
      : undefined;

  return {
    async open(players) {
      const name = `${engine}_${players}`;
      const marker = join(folder, `${name}.filled`);
      const url = mariadb ? `${mariadb.url}/${name}` : `sqlite:${join(folder, `${name}.db`)}`;
      if (!existsSync(marker)) {
        console.error(`${players} players …`);
        await mariadb?.createDatabase(name);
        await fill(engine, url, players);
        writeFileSync(marker, '');
      }
      await prepare(url);
      return url;
    },
    close: async () => mariadb?.stop(),
  };
}
