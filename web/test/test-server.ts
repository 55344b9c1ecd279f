import { setTimeout as sleep } from 'node:timers/promises';
import { startForum } from '@gatehouse/simulators/forum';
import { startZone } from '@gatehouse/simulators/zone';
import { type GatehouseOptions, startGatehouse } from '../../test-support/gatehouse.ts';
import { codeIn, hasCode, waitForOutboxMail } from '../../test-support/mail.ts';
import { freePort, tempDir } from '../../test-support/process.ts';
import { runCommand } from '../../test-support/run-command.ts';
import { startGameClient } from './game-client.ts';

export const PASSWORD = 'Moonlight-over-42';

export interface TestServerOptions {
  readonly settings?: GatehouseOptions['settings'];
  readonly handoff?: 'iframe' | 'redirect';
}

/** Starts the service with the built pages and everything it needs: an outbox, a game zone, a forum, a game client. */
export async function startTestServer({ settings = {}, handoff = 'iframe' }: TestServerOptions = {}) {
  await using stack = new AsyncDisposableStack();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const zones = `sqlite:${tempDir('zones')}`;
  const client = await startGameClient();
  stack.defer(async () => void (await client.stop()));
  const forum = await startForum({ publicUrl: url });
  stack.defer(forum.stop);
  const zone = await startZone({ serverId: 1, database: zones, receipts: true });
  stack.defer(zone.stop);

  const service = await startGatehouse({
    settings: {
      port,
      public_url: url,
      game: { name: '烽火长安' },
      forum: forum.settings,
      // Longer than the zone, which saves immediately, needs: a withdrawal stays `settling` for the whole test.
      zones: { database_url: zones, save_interval: 600 },
      // The zone answers from the test's own process, which a busy machine can stop for seconds.
      gm: { timeout: 10, receipt_operation: 10031 },
      withdraw: { min: 100, max: 5000, step: 100 },
      code_throttle: { address: { limit: 1000, window: 60 }, email: { limit: 3, window: 600 } },
      client: { url: client.url, handoff },
      ...settings,
    },
  });
  stack.defer(async () => void (await service.stop()));
  const operate = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCommand(args, { config: service.settingsFile });
    if (code !== 0) throw new Error(`gatehouse ${args.join(' ')}: ${stderr}`);
    return stdout;
  };
  const addZone = (id: number, name: string, ...more: string[]) => {
    const target = ['--address', `s${id}.game.test`, '--port', String(7000 + id)];
    return operate('zone', 'add', String(id), '--name', name, ...target, ...more);
  };
  await Promise.all([
    addZone(1, '玄武门', '--gm-url', zone.gmUrl),
    addZone(2, '朱雀大街', '--status', 'busy'),
    addZone(3, '雁塔晨钟', '--status', 'maintenance'),
  ]);
  // The service reads the zones at an interval, and a page that got an empty list polls again only after a minute.
  while ((await listedZones(url)) < 3) await sleep(50);
  const running = stack.move();

  const post = async (path: string, body: unknown) => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const read: string[] = [];
  /** Returns the code in the newest mail to this address that no earlier call has read. */
  const code = async (email: string) => {
    const mail = await waitForOutboxMail(service.outbox, email, read, hasCode);
    read.push(mail);
    return codeIn(mail);
  };

  return {
    url,
    service,
    zone,
    client,
    operate,
    code,
    /** Requests a code, as another browser would. */
    requestCode: (email: string, purpose?: string) => post('/api/send_code', { email, purpose }),
    /** Registers an account through the API, for tests that start later. */
    async register(account: string) {
      const email = `${account}@example.com`;
      await post('/api/send_code', { email });
      await post('/api/register', { account, password: PASSWORD, email, code: await code(email) });
      return { account, email };
    },
    stop: () => running.disposeAsync(),
  };
}

export type TestServer = Awaited<ReturnType<typeof startTestServer>>;

async function listedZones(url: string): Promise<number> {
  const { servers } = (await (await fetch(`${url}/api/server/list`)).json()) as { servers: unknown[] };
  return servers.length;
}
