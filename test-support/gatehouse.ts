import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'smol-toml';
import { requireExecutable } from './executables.ts';
import { fastPathSettings } from './fast-path.ts';
import type { NodePlace } from './galera.ts';
import { freePort, tempDir } from './process.ts';
import { type RestartableServer, startServer } from './server.ts';
import { freshSqlite } from './sqlite.ts';

/** Settings as in the TOML file: tables and values, named as in the contract. */
export type SettingsTable = { [name: string]: unknown };

export type GatehouseOptions = {
  settings?: SettingsTable;
  env?: NodeJS.ProcessEnv;
  args?: string[];
  /** Entry point instead of the serve command; it gets the settings file and `args`. */
  entry?: string;
  /** Checkout whose service is run, instead of this one. */
  checkout?: string;
  /** Node executable, instead of the tests' own. */
  node?: string;
  /** The network namespace it runs in, and its address there; on loopback otherwise. */
  place?: NodePlace | undefined;
};

export type Gatehouse = RestartableServer & {
  url: string;
  port: number;
  /** The settings it was started with, including defaults. */
  settings: SettingsTable;
  settingsFile: string;
  /** Its working folder; mails go to `outbox` in it unless the settings say otherwise. */
  folder: string;
  outbox: string;
  /** Replaces the settings file atomically, as an operator's tool would; defaults stay filled in. */
  writeSettings(settings: SettingsTable): void;
  /** The parsed log lines of all its processes so far. */
  logs(): SettingsTable[];
};

/** Names the entry point of the bundled service in the environment. Without it the sources are run. */
export const SERVICE_BUNDLE = 'TEST_SERVICE_BUNDLE';

/** Returns the entry point of the command line: the bundle's, or the sources' of a checkout. */
export function serviceEntry(checkout?: string): string {
  const bundle = checkout === undefined ? process.env[SERVICE_BUNDLE] : undefined;
  return bundle ?? join(checkout ?? join(import.meta.dirname, '..'), 'server/src/cli/main.ts');
}

const nodeArgs = (checkout?: string) => [
  '--no-memory-reducer',
  '--max-semi-space-size=8',
  serviceEntry(checkout),
];

/** Runs the real service as an operator would: with a settings file and the serve command. */
export async function startGatehouse(options: GatehouseOptions = {}): Promise<Gatehouse> {
  const folder = tempDir('gatehouse');
  const settingsFile = join(folder, 'gatehouse.toml');
  const port = portOf(options.settings) ?? (await freePort());
  const { node = process.execPath, place } = options;
  const host = place?.host ?? '127.0.0.1';
  const url = `http://${host}:${port}`;
  const defaults = defaultSettings({ folder, host, port, url });
  const settings = withDefaults(options.settings ?? {}, defaults);
  const writeSettings = (next: SettingsTable) => {
    writeFileSync(`${settingsFile}.new`, stringify(withDefaults(next, defaults)));
    renameSync(`${settingsFile}.new`, settingsFile);
  };
  writeSettings(settings);

  const server = await startServer({
    command: place === undefined ? node : requireExecutable('ip'),
    args: [
      ...(place === undefined ? [] : ['netns', 'exec', place.namespace, node]),
      ...(options.entry === undefined ? [...nodeArgs(options.checkout), 'serve'] : [options.entry]),
      '--config',
      settingsFile,
      ...(options.args ?? []),
    ],
    env: cleanEnvironment(options.env),
    cwd: folder,
    ready: async () => (await fetch(`${url}/api/health/ready`, { signal: AbortSignal.timeout(2000) })).ok,
  });

  return Object.assign(server, {
    url,
    port,
    settings,
    settingsFile,
    folder,
    outbox: join(folder, 'outbox'),
    writeSettings,
    logs: () => server.output().split('\n').flatMap(parseLogLine),
  });
}

export type CliResult = { code: number; stdout: string; stderr: string };

/** Runs one CLI command to its end. */
export function runCli(
  args: string[],
  options: { config?: string; env?: NodeJS.ProcessEnv; cwd?: string; input?: string; checkout?: string } = {},
): Promise<CliResult> {
  const config = options.config === undefined ? [] : ['--config', options.config];
  // Outside the repository, so that no settings file there is picked up.
  const cwd = options.cwd ?? (options.config === undefined ? tempDir('cli') : dirname(options.config));
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [...nodeArgs(options.checkout), ...args, ...config],
      { env: cleanEnvironment(options.env), cwd, timeout: 60_000, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
        resolve({ code, stdout, stderr });
      },
    );
    if (options.input !== undefined) child.stdin?.end(options.input);
  });
}

function defaultSettings({
  folder,
  host,
  port,
  url,
}: {
  folder: string;
  host: string;
  port: number;
  url: string;
}): SettingsTable {
  return {
    ...fastPathSettings,
    port,
    host,
    public_url: url,
    auth: {
      password_key: randomBytes(16).toString('hex'),
      jwt_secret: randomBytes(32).toString('hex'),
    },
    // Tests register many accounts from one address block.
    challenge: { mode: 'off' },
    database: { url: freshSqlite(folder) },
    mail: { url: `outbox:${join(folder, 'outbox')}` },
  };
}

function withDefaults(settings: SettingsTable, defaults: SettingsTable): SettingsTable {
  const merged = { ...defaults, ...settings };
  for (const [name, value] of Object.entries(defaults)) {
    const given = settings[name];
    if (isTable(value) && isTable(given)) merged[name] = withDefaults(given, value);
  }
  return merged;
}

function isTable(value: unknown): value is SettingsTable {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function portOf(settings: SettingsTable | undefined): number | undefined {
  return typeof settings?.port === 'number' ? settings.port : undefined;
}

/** Drops the machine's own GATEHOUSE_ settings, which must not affect a test. */
export function cleanEnvironment(added: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('GATEHOUSE_'));
  // MALLOC_ARENA_MAX as in the service file; English texts in any locale.
  return { MALLOC_ARENA_MAX: '2', ...Object.fromEntries(own), LC_ALL: 'C', ...added };
}

function parseLogLine(line: string): SettingsTable[] {
  try {
    const parsed: unknown = JSON.parse(line);
    return isTable(parsed) ? [parsed] : [];
  } catch {
    return [];
  }
}
