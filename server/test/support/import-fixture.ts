import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'smol-toml';
import type { CliResult } from '../../../test-support/gatehouse.ts';
import { tempDir } from '../../../test-support/process.ts';
import { runCommand } from '../../../test-support/run-command.ts';

export const OLD_KEY = 'old-generation-key';
export const oldHash = (password: string) => hash('md5', password + OLD_KEY);

export interface ImportFixture {
  readonly folder: string;
  readonly config: string;
  /** Writes a file next to the settings and returns its path. */
  write(name: string, content: string | Buffer): string;
  run(...args: string[]): Promise<CliResult>;
  /** Like `run`, with the summary parsed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into summaries of every shape
  summary(...args: string[]): Promise<any>;
}

export function importFixture(databaseUrl: string, settings: Record<string, unknown> = {}): ImportFixture {
  const folder = tempDir('import');
  const config = join(folder, 'gatehouse.toml');
  const auth = { password_key: OLD_KEY, jwt_secret: 'a-secret-of-more-than-thirty-two-bytes' };
  writeFileSync(config, stringify({ database: { url: databaseUrl }, auth, ...settings }));
  const run = (...args: string[]) => runCommand(['import', ...args], { config });
  return {
    folder,
    config,
    write(name, content) {
      const file = join(folder, name);
      writeFileSync(file, content);
      return file;
    },
    run,
    async summary(...args) {
      const { code, stdout, stderr } = await run('--json', ...args);
      if (code !== 0) throw new Error(`exit status ${code}: ${stderr}`);
      return JSON.parse(stdout);
    },
  };
}

/** Returns a file with this many valid accounts: player1, player2, … */
export function manyAccounts(count: number): string {
  const lines = Array.from(
    { length: count },
    (_, index) => `player${index + 1},${oldHash(`pw${index + 1}`)}`,
  );
  return `account,password_hash\n${lines.join('\n')}\n`;
}
