import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse, stringify } from 'smol-toml';
import type { Arguments } from './arguments.ts';
import type { Secrets } from './secrets.ts';

/** How often the demo zones save, in seconds: long enough to show how a real game behaves. */
export const SAVE_INTERVAL = 2;

export const zonesFolder = (folder: string) => join(folder, 'zones');
export const outboxFolder = (folder: string) => join(folder, 'outbox');
export const logFile = (folder: string) => join(folder, 'gatehouse.log');
export const settingsFile = (folder: string) => join(folder, 'gatehouse.toml');

interface Parts {
  readonly options: Arguments;
  readonly secrets: Secrets;
  readonly forum: object;
}

/**
 * Writes the settings as an operator would, so that `gatehouse <command> --config` works on the playground too. Edits are kept:
 * a later start changes only what its own arguments, secrets and ports decide.
 */
export function writeSettings({ options, secrets, forum }: Parts): string {
  const { folder, port, host, url } = options;
  const settings = {
    port,
    host,
    public_url: url,
    game: { name: '灯火城 Playground' },
    // Close enough to the demo's daily registrations that the console's panel shows it.
    day_max_reg: 60,
    log: { file: logFile(folder) },
    database: { url: `sqlite:${join(folder, 'gatehouse.db')}` },
    auth: { password_key: secrets.passwordKey, jwt_secret: secrets.jwtSecret, game_token: 'ticket' },
    mail: { url: `outbox:${outboxFolder(folder)}`, from: 'Gatehouse playground <no-reply@localhost>' },
    client: { url: '/playground/client/', handoff: 'iframe' },
    // A save may start late: a second of grace keeps a recent withdrawal from being counted twice.
    zones: { database_url: `sqlite:${zonesFolder(folder)}`, save_interval: SAVE_INTERVAL + 1 },
    gm: { key: secrets.gmKey, receipt_operation: 10031, receipt_after: 10 },
    withdraw: {
      currency: '元宝',
      min: 10,
      max: 5000,
      step: 10,
      daily_max: 50_000,
      // Two people settle a large one, so that the console shows how.
      two_person_above: 1000,
    },
    // Two-factor setup would get in the way of a first look.
    console: { require_totp: false },
    doctor: {
      acknowledged: [
        'auth.seal_key: nothing here is worth sealing',
        'withdrawals: unknown ones are part of the demo',
        'zone 3 GM interface: gives no receipts, so that there is something to settle',
      ],
    },
    code_throttle: { address: { limit: 200, window: 3600 } },
    forum,
  };
  const file = settingsFile(folder);
  const before = existsSync(file) ? (parse(readFileSync(file, 'utf8')) as Table) : {};
  const { log, database, auth, mail, zones, gm } = settings;
  const decided = {
    port,
    host,
    public_url: url,
    log,
    database,
    auth: { password_key: auth.password_key, jwt_secret: auth.jwt_secret },
    mail: { url: mail.url },
    zones: { database_url: zones.database_url },
    gm: { key: gm.key },
    forum,
  };
  const next = merged(merged(settings as unknown as Table, before), decided);
  // An unchanged file keeps its comments.
  if (!isDeepStrictEqual(next, before)) {
    const text = `# Made by the playground; not for production. Your changes are kept.\n${stringify(next)}`;
    writeFileSync(file, text, { mode: 0o600 });
  }
  chmodSync(file, 0o600);
  return file;
}

type Table = { readonly [key: string]: unknown };

const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Merges tables by key; `over` wins. */
function merged(base: Table, over: Table): Table {
  const entries = Object.entries(over).map(([key, value]) => {
    const below = base[key];
    return [key, isTable(below) && isTable(value) ? merged(below, value) : value];
  });
  return { ...base, ...Object.fromEntries(entries) };
}
