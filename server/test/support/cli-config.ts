import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'smol-toml';
import { tempDir } from '../../../test-support/process.ts';

/** Writes a settings file for the command line on this database. */
export function configOf(databaseUrl: string, settings: Record<string, unknown> = {}): string {
  const config = join(tempDir('cli'), 'gatehouse.toml');
  const auth = { password_key: 'old-generation-key', jwt_secret: 'j'.repeat(40) };
  writeFileSync(config, stringify({ auth, ...settings, database: { url: databaseUrl } }));
  return config;
}
