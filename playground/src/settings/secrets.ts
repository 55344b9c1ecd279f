import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const names = ['passwordKey', 'jwtSecret', 'gmKey', 'forumSecret'] as const;

export type Secrets = Readonly<Record<(typeof names)[number], string>>;

const made = () => randomBytes(32).toString('hex');

/** Creates the secrets once, readable by the owner only, so that accounts and sessions outlive a restart. */
export function keptSecrets(folder: string): Secrets {
  const file = join(folder, 'secrets.json');
  if (!existsSync(file)) {
    const fresh = Object.fromEntries(names.map((name) => [name, made()])) as Secrets;
    writeFileSync(file, `${JSON.stringify(fresh, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    return fresh;
  }
  const kept = parsed(readFileSync(file, 'utf8'));
  if (names.every((name) => typeof kept?.[name] === 'string' && kept[name] !== '')) return kept as Secrets;
  throw new Error(`${file} is damaged`);
}

function parsed(text: string): Partial<Secrets> | undefined {
  try {
    return JSON.parse(text) as Partial<Secrets>;
  } catch {
    return undefined;
  }
}
