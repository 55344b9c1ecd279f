import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { startZone } from '@gatehouse/simulators/zone';
import { codeIn } from '../../test-support/mail.ts';
import { startSmtp } from '../../test-support/smtp.ts';

// What the install page presupposes besides the machine: a mail server, a game server with its database, and a player.
const { MAIL_PASSWORD = '', GAME_DATABASE = '', PUBLIC_URL = '' } = process.env;
const GAME_SERVER = '10.0.0.5';

const smtp = await startSmtp({ port: 587, password: MAIL_PASSWORD });
const zone = await startZone({ serverId: 1, database: GAME_DATABASE });
await forward({ port: 8080, to: zone.gmPort });
await forward({ port: 7000, to: zone.gmPort });
console.log('ready');

for await (const line of createInterface({ input: process.stdin })) {
  if (line !== 'visit') continue;
  console.log(await visit().catch((error: Error) => `failed: ${error.message} ${error.cause ?? ''}`));
}
process.exit(0);

async function forward({ port, to }: { port: number; to: number }): Promise<void> {
  const server = createServer((socket) => {
    const onward = connect(to, '127.0.0.1');
    socket.on('error', () => onward.destroy());
    onward.on('error', () => socket.destroy());
    socket.pipe(onward).pipe(socket);
  });
  await once(server.listen(port, GAME_SERVER), 'listening');
}

/** Acts as a player through nginx: opens the page, registers with a mailed code, and logs in. */
async function visit(): Promise<string> {
  const [account, password, email] = ['newcomer', 'A-long-Passw0rd', 'newcomer@example.com'];
  const page = await ask('/login');
  if (!page.includes('<div id="app"')) throw new Error('/login is not the page');
  await ask('/api/send_code', { email });
  const code = codeIn((await smtp.waitForMessage(email, 20_000)).raw);
  await ask('/api/register', { account, password, email, code });
  const { token } = JSON.parse(await ask('/api/login', { account, password }));
  if (typeof token !== 'string') throw new Error('the login has no token');
  return 'ok';
}

async function ask(path: string, body?: object): Promise<string> {
  const response = await fetch(PUBLIC_URL + path, {
    method: body ? 'POST' : 'GET',
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} is answered ${response.status}: ${text}`);
  return text;
}
