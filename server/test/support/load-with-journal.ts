import { randomUUID } from 'node:crypto';
import { startZone, type Zone } from '@gatehouse/simulators/zone';
import { faultPlan } from '@gatehouse/simulators/zone/faults';
import { onTestFinished, vi } from 'vitest';
import { type Gatehouse, runCli, startGatehouse } from '../../../test-support/gatehouse.ts';
import { codeIn, waitForOutboxMail } from '../../../test-support/mail.ts';
import { tempDir } from '../../../test-support/process.ts';
import { type Client, clientFrom } from './client.ts';

export interface Writers {
  readonly journal: Journal;
  /** Waits until the journal satisfies the condition. Rejects if a writer got an unexpected answer. */
  until(isReached: (journal: Journal) => boolean): Promise<void>;
  /** Ends the writers after their request in progress. Rejects as `until` does. */
  stopWriting(): Promise<void>;
}

export interface LoadedService extends Writers {
  readonly service: Gatehouse;
  readonly zone: Zone;
}

/** What the service acknowledged, in order; kept outside of it. */
export interface Journal {
  readonly players: string[];
  /** Ids of withdrawals that were answered as done. */
  readonly done: string[];
  /** The passwords of each account, requested or acknowledged, in order. */
  readonly passwords: Map<string, { readonly requested: string[]; acknowledged: number }>;
}

/** Everything that was acknowledged so far. */
export interface Mark {
  readonly players: readonly string[];
  readonly done: readonly string[];
  /** The passwords that each account may have from now on: the acknowledged one and those requested later. */
  passwordsOf(account: string): readonly string[];
}

const FIRST_PASSWORD = 'correct horse battery 0';
const WITHDRAWING = 6;
const REGISTERING = 2;

export function markOf({ players, done, passwords }: Journal): Mark {
  const acknowledged = new Map([...passwords].map(([account, each]) => [account, each.acknowledged]));
  return {
    players: [...players],
    done: [...done],
    passwordsOf: (account) => passwords.get(account)?.requested.slice(acknowledged.get(account)) ?? [],
  };
}

/** The settings of a service whose withdrawals a zone with slow and missing answers executes. */
export function loadSettings(url: string, zones: string) {
  return {
    database: { url },
    trust_proxy: ['127.0.0.1'],
    day_max_reg: 1_000_000,
    auth: { password_key: 'old-generation-key', jwt_secret: 'j'.repeat(64) },
    zones: { database_url: zones, save_interval: 0 },
    gm: { timeout: 1, receipt_operation: 10031, receipt_after: 1 },
    withdraw: { daily_max: 100_000_000, requests_per_minute: 100_000, refused_per_day: 100_000 },
  };
}

/** Starts a service with a zone whose answers are late or missing, and writers. */
export async function startLoadedService(databaseUrl: string): Promise<LoadedService> {
  const zones = `sqlite:${tempDir('zones')}`;
  const zone = await startZone({ serverId: 1, database: zones, receipts: true });
  onTestFinished(zone.stop);
  const service = await startGatehouse({ settings: loadSettings(databaseUrl, zones) });
  onTestFinished(() => service.kill());
  await runCli(
    ['zone', 'add', '1', '--name', 'One', '--address', '127.0.0.1', '--port', '7001', '--gm-url', zone.gmUrl],
    { config: service.settingsFile },
  );
  const anybody = clientFrom(service.url, '10.0.0.1');
  await vi.waitFor(async () => {
    if ((await anybody.get('/api/server/list')).body.servers.length === 0) throw new Error('no zone yet');
  }, 10_000);
  zone.setFaults(faultPlan({ seed: 1, rate: 0.3, kinds: ['delay:200', 'delay:600', 'timeout_after'] }));
  const { stopWriting, ...writers } = startWriters({
    zone,
    clientOf: (address) => clientFrom(service.url, address),
    mailTo: (email) => waitForOutboxMail(service.outbox, email),
  });
  return {
    service,
    zone,
    ...writers,
    async stopWriting() {
      await stopWriting();
      zone.setFaults([]);
    },
  };
}

export interface WritersOptions {
  readonly zone: Zone;
  /** Sends requests from an address. */
  readonly clientOf: (address: string) => Pick<Client, 'post'>;
  /** Waits for a mail. */
  readonly mailTo: (email: string) => Promise<string>;
}

/** Starts writers that register, change passwords and withdraw until they are stopped. */
export function startWriters({ zone, clientOf, mailTo }: WritersOptions): Writers {
  const journal: Journal = { players: [], done: [], passwords: new Map() };
  let registrations = 0;
  let isWriting = true;

  interface Player {
    readonly account: string;
    readonly token: string;
    readonly client: Pick<Client, 'post'>;
  }

  async function register(): Promise<Player> {
    registrations += 1;
    const account = `player${registrations}`;
    const email = `${account}@example.com`;
    const client = clientOf(`10.1.${registrations >> 8}.${registrations & 255}`);
    const sent = await client.post('/api/send_code', { email });
    if (sent.status !== 200) throw new Error(sent.text);
    const code = codeIn(await mailTo(email));
    const form = { account, password: FIRST_PASSWORD, email, code };
    journal.passwords.set(account, { requested: [FIRST_PASSWORD], acknowledged: 0 });
    const { status, text, body } = await client.post('/api/register', form);
    if (status !== 201) throw new Error(text);
    journal.players.push(account);
    return { account, token: body.token, client };
  }

  async function changePassword({ account, token, client }: Player): Promise<void> {
    const passwords = journal.passwords.get(account) ?? { requested: [], acknowledged: 0 };
    const [old_password, password] = [passwords.requested.at(-1), `${FIRST_PASSWORD} of ${account}`];
    passwords.requested.push(password);
    const form = { old_password, password };
    const { status, text } = await client.post('/api/account/password', form, { token });
    if (status !== 200) throw new Error(text);
    passwords.acknowledged = passwords.requested.length - 1;
  }

  async function registerAndChange(): Promise<void> {
    while (isWriting) await changePassword(await register());
  }

  async function withdrawAgainAndAgain(): Promise<void> {
    const { account, token, client } = await register();
    const { name } = await zone.addRole({ account, name: `Hero of ${account}`, balance: 1_000_000 });
    while (isWriting) {
      const { status, text, body } = await client.post(
        '/api/game/withdraw',
        { server_id: 1, role: name, amount: 1 + Math.floor(Math.random() * 50) },
        { token, headers: { 'idempotency-key': randomUUID() } },
      );
      if (status === 200) journal.done.push(body.withdraw_id);
      // 202: the answer of the game is missing; 409: the withdrawal before is still open.
      else if (status !== 202 && status !== 409) throw new Error(text);
    }
  }

  const writing = Promise.all([
    ...Array.from({ length: REGISTERING }, registerAndChange),
    ...Array.from({ length: WITHDRAWING }, withdrawAgainAndAgain),
  ]);
  writing.catch(() => {});
  return {
    journal,
    until: (isReached) =>
      Promise.race([writing.then(() => {}), vi.waitUntil(() => isReached(journal), 120_000).then(() => {})]),
    async stopWriting() {
      isWriting = false;
      await writing;
    },
  };
}
