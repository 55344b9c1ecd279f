import { hash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CodePurpose } from '@gatehouse/contract';
import { stringify } from 'smol-toml';
import { onTestFinished } from 'vitest';
import { fastPathSettings } from '../../../test-support/fast-path.ts';
import type { CliResult } from '../../../test-support/gatehouse.ts';
import { codeIn, hasCode, waitForOutboxMail } from '../../../test-support/mail.ts';
import { tempDir } from '../../../test-support/process.ts';
import { runCommand } from '../../../test-support/run-command.ts';
import { patientRedisTimeouts } from '../../../test-support/shared-servers.ts';
import type { App } from '../../src/app.ts';
import { startService } from '../../src/main.ts';
import { parseSettings } from '../../src/settings/load.ts';
import { type Client, clientFrom } from './client.ts';

type Table = Record<string, unknown>;

export interface TestApp extends Client, Pick<App, 'db' | 'features' | 'http' | 'metrics' | 'security'> {
  readonly url: string;
  readonly folder: string;
  /** The settings it runs with, for commands. */
  readonly settingsFile: string;
  /** Returns a client of the same service from another address. */
  from(address: string): Client;
  /** Runs a CLI command with the settings of the service, in this process. */
  cli(...args: string[]): Promise<CliResult>;
  /** Requests a code and reads it from the mail. */
  code(email: string, how?: { address?: string; purpose?: CodePurpose | undefined }): Promise<string>;
  /** Registers over HTTP with the code from the mail. Returns the service's answer. */
  register(
    account: string,
    extra?: Table,
  ): Promise<{ token: string; account: string; server_id: number | null }>;
  stop(): Promise<void>;
}

export const PASSWORD = 'Correct-Horse-42';
const PASSWORD_KEY = 'old-generation-key';

/** The old generation's hash of a password, which old clients present as their token. */
export const legacyHash = (password: string) => hash('md5', password + PASSWORD_KEY);

let lastAddress = 0;

/** Returns an address unused in this worker, so that no throttle counts two tests together. */
export function freshAddress(): string {
  lastAddress += 1;
  return `198.${18 + (lastAddress >> 16)}.${(lastAddress >> 8) & 255}.${lastAddress & 255}`;
}

/** Starts the service in this process on a free port; closed after the test. Trusts X-Forwarded-For from loopback. */
export async function startTestApp(databaseUrl: string, settings: Table = {}): Promise<TestApp> {
  const folder = tempDir('app');
  const outbox = join(folder, 'outbox');
  const table: Table = {
    port: 0,
    host: '127.0.0.1',
    trust_proxy: ['127.0.0.1'],
    // Tests register many accounts from one address block.
    challenge: { mode: 'off' },
    ...fastPathSettings,
    ...settings,
    log: { file: join(folder, 'service.log'), ...(settings.log as Table) },
    mail: { url: `outbox:${outbox}`, ...(settings.mail as Table) },
    database: { url: databaseUrl },
    auth: {
      password_key: PASSWORD_KEY,
      jwt_secret: randomBytes(32).toString('hex'),
      ...(settings.auth as Table),
    },
  };
  const settingsFile = join(folder, 'gatehouse.toml');
  writeFileSync(settingsFile, stringify(table));
  const service = await startService({
    settings: parseSettings(table),
    redisTimeouts: patientRedisTimeouts,
    // A starved Redis takes seconds for a burst of logins, which are admitted one after another.
    attemptPatienceMs: 30_000,
  });
  onTestFinished(() => service.stop());
  const { db, features, http, metrics, security } = service.app;

  const url = `http://127.0.0.1:${service.port}`;
  const from = (address: string) => clientFrom(url, address);
  const seen: string[] = [];

  const code: TestApp['code'] = async (email, { address = freshAddress(), purpose } = {}) => {
    const { status, body } = await from(address).post('/api/send_code', {
      email,
      ...(purpose && { purpose }),
    });
    if (status !== 200)
      throw new Error(`the code for ${email} was refused with ${status}: ${JSON.stringify(body)}`);
    const mail = await waitForOutboxMail(outbox, email.trim().toLowerCase(), seen, hasCode);
    seen.push(mail);
    return codeIn(mail);
  };

  return {
    ...from(freshAddress()),
    url,
    db,
    features,
    http,
    metrics,
    security,
    folder,
    from,
    settingsFile,
    cli: (...args) => runCommand(args, { config: settingsFile }),
    code,
    async register(account, extra = {}) {
      const email = String(extra.email ?? `${account}@example.com`);
      const form = { account, password: PASSWORD, ...extra, email, code: await code(email) };
      const { status, body } = await from(freshAddress()).post('/api/register', form);
      if (status !== 201)
        throw new Error(`registration of ${account} answered ${status}: ${JSON.stringify(body)}`);
      return body as { token: string; account: string; server_id: number | null };
    },
    stop: service.stop,
  };
}
