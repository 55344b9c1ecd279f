import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'smol-toml';
import { expect } from 'vitest';
import { tempDir } from '../../../test-support/process.ts';
import { runCommand } from '../../../test-support/run-command.ts';

export type Table = Record<string, unknown>;
interface Finding {
  readonly check: string;
  readonly status: string;
  readonly detail: string;
  readonly fix?: string;
}

export const STRONG = 'Zk3-qP9.vW1_xR7!mT5?hN2+bL8=cJ4/dG6';
export const KEY = 'the-old-generation-key';

/** Writes a valid settings file in its own folder, with these settings changed. */
export function settingsFile(settings: Table): string {
  const folder = tempDir('doctor');
  const file = join(folder, 'gatehouse.toml');
  const defaults = {
    // Nothing listens, which these tests ignore.
    port: 0,
    database: { url: `sqlite:${join(folder, 'gatehouse.db')}` },
    mail: { url: `outbox:${join(folder, 'outbox')}` },
    auth: { password_key: KEY, jwt_secret: STRONG },
  };
  writeFileSync(file, stringify({ ...defaults, ...settings }), { mode: 0o600 });
  return file;
}

/** Runs the command, and checks that its exit status fits its findings. */
export async function doctor(
  config: string,
  ...args: string[]
): Promise<{ code: number; all: Finding[]; of: (check: string) => Finding[] }> {
  const { code, stdout, stderr } = await runCommand(['doctor', '--json', ...args], { config });
  expect(stderr).toBe('');
  const findings = JSON.parse(stdout) as Finding[];
  for (const { status, fix } of findings) expect(status === 'ok').toBe(fix === undefined);
  expect(code).toBe(findings.some(({ status }) => status === 'failed') ? 1 : 0);
  return { code, all: findings, of: (check) => findings.filter((finding) => finding.check === check) };
}
