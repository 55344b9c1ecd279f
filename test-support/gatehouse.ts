import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'smol-toml';
import { fastPathSettings } from './fast-path.ts';
import { freePort, tempDir } from './process.ts';
import { type RestartableServer, startServer } from './server.ts';

/** Settings as the TOML file holds them: tables and values, names as in the contract. */
export type SettingsTable = { [name: string]: unknown };

export type GatehouseOptions = {
  settings?: SettingsTable;
  env?: NodeJS.ProcessEnv;
  args?: string[];
  /** What Node runs instead of the serve command; it is given the settings file and `args`. */
  entry?: string;
  /** The checkout whose service is run, instead of this one. */
  checkout?: string;
  /** The Node to run it with, instead of the tests' own. */
  node?: string;
};

export type Gatehouse = RestartableServer & {
  url: string;
  port: number;
  /** The settings it was started with, the defaults included. */
  settings: SettingsTable;
  settingsFile: string;
  /** Its working folder; `outbox` in it holds its mails unless the settings say otherwise. */
  folder: string;
  outbox: string;
  /** Replaces the settings file in one step, as an operator's tool would; the defaults stay filled in. */
  writeSettings(settings: SettingsTable): void;
  /** The log lines of all its processes so far, parsed. */
  logs(): SettingsTable[];
};

const nodeArgs = (checkout = join(import.meta.dirname, '..')) => [
  '--no-memory-reducer',
  '--max-semi-space-size=8',
  join(checkout, 'server/src/cli/main.ts'),
];

/** Runs the real service as an operator would: a settings file and the serve command. */
export async function startGatehouse(options: GatehouseOptions = {}): Promise<Gatehouse> {
  const folder = tempDir('gatehouse');
  const settingsFile = join(folder, 'gatehouse.toml');
  const port = portOf(options.settings) ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const defaults = defaultSettings({ folder, port, url });
  const settings = withDefaults(options.settings ?? {}, defaults);
  const writeSettings = (next: SettingsTable) => {
    writeFileSync(`${settingsFile}.new`, stringify(withDefaults(next, defaults)));
    renameSync(`${settingsFile}.new`, settingsFile);
  };
  writeSettings(settings);

  const server = await startServer({
    command: options.node ?? process.execPath,
    args: [
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

/** Runs one operator's command to its end. */
export function runCli(
  args: string[],
  options: { config?: string; env?: NodeJS.ProcessEnv; cwd?: string; input?: string; checkout?: string } = {},
): Promise<CliResult> {
  const config = options.config === undefined ? [] : ['--config', options.config];
  // Away from the repository, so that no settings file lying there is picked up.
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
  port,
  url,
}: {
  folder: string;
  port: number;
  url: string;
}): SettingsTable {
  return {
    ...fastPathSettings,
    port,
    host: '127.0.0.1',
    public_url: url,
    auth: {
      password_key: randomBytes(16).toString('hex'),
      jwt_secret: randomBytes(32).toString('hex'),
    },
    // Tests register by the dozen from one address block.
    challenge: { mode: 'off' },
    database: { url: `sqlite:${join(folder, 'gatehouse.db')}` },
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

/** The machine's own GATEHOUSE_ settings must not reach a test. */
export function cleanEnvironment(added: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('GATEHOUSE_'));
  // As the service file has it.
  return { MALLOC_ARENA_MAX: '2', ...Object.fromEntries(own), ...added };
}

function parseLogLine(line: string): SettingsTable[] {
  try {
    const parsed: unknown = JSON.parse(line);
    return isTable(parsed) ? [parsed] : [];
  } catch {
    return [];
  }
}
