import { setTimeout as sleep } from 'node:timers/promises';
import { startForum } from '@gatehouse/simulators/forum';
import { startZone } from '@gatehouse/simulators/zone';
import { type GatehouseOptions, startGatehouse } from '../../test-support/gatehouse.ts';
import { codeIn, hasCode } from '../../test-support/mail.ts';
import { freePort, tempDir } from '../../test-support/process.ts';
import { runCommand } from '../../test-support/run-command.ts';
import { startSmtp } from '../../test-support/smtp.ts';
import { startGameClient } from './game-client.ts';

export const PASSWORD = 'Moonlight-over-42';

export interface TestServerOptions {
  readonly settings?: GatehouseOptions['settings'];
  readonly handoff?: 'iframe' | 'redirect';
}

/** Starts the service with the built pages and everything it needs: mail, a game zone, a forum, a game client. */
export async function startTestServer({ settings = {}, handoff = 'iframe' }: TestServerOptions = {}) {
  await using stack = new AsyncDisposableStack();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const zones = `sqlite:${tempDir('zones')}`;
  const smtp = await startSmtp();
  stack.defer(smtp.stop);
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
      mail: { url: smtp.url },
      forum: forum.settings,
      // Longer than the zone, which saves at once, needs: a withdrawal stays `settling` for the whole test.
      zones: { database_url: zones, save_interval: 600 },
      gm: { timeout: 2, receipt_operation: 10031 },
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
  // The service reads the zones at an interval, and a page that got an empty list asks again only after a minute.
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

  return {
    url,
    service,
    zone,
    client,
    operate,
    /** Returns the code in the next mail to this address that has one. */
    async code(email: string) {
      for (;;) {
        const { raw } = await smtp.waitForMessage(email);
        if (hasCode(raw)) return codeIn(raw);
      }
    },
    /** Requests a code, as another browser would. */
    requestCode: (email: string, purpose?: string) => post('/api/send_code', { email, purpose }),
    /** Registers an account through the API, for tests that start later. */
    async register(account: string) {
      const email = `${account}@example.com`;
      await post('/api/send_code', { email });
      const code = codeIn((await smtp.waitForMessage(email)).raw);
      await post('/api/register', { account, password: PASSWORD, email, code });
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
