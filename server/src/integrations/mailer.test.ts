import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { tempDir } from '../../../test-support/process.ts';
import { startSmtp } from '../../../test-support/smtp.ts';
import { openMailer } from './mailer.ts';

const codeMail = { to: 'b@example.com', code: '123456', lifetime: 60, language: 'en' };
const log = { warn: () => {} };

/** A mail server whose handling of connections the test controls. */
async function listen(onConnection: (socket: Socket) => void) {
  const server = createServer(onConnection).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const mailer = openMailer({ url, from: 'a@example.com', gameName: 'Game', log });
  onTestFinished(() => mailer.close());
  return mailer;
}

test('when the connection breaks after the mail was handed over, then the mail is not reported as unsent', async () => {
  const mailer = await listen((socket) => {
    let received = '';
    socket.on('error', () => {}).write('220 ready\r\n');
    socket.on('data', (chunk) => {
      received += chunk;
      if (received.endsWith('\r\n.\r\n')) socket.destroy();
      else if (received.endsWith('DATA\r\n')) socket.write('354 go on\r\n');
      else if (!received.includes('DATA\r\n')) socket.write('250 ok\r\n');
    });
  });
  expect(await mailer.sendCode(codeMail)).toBe(false);
});

test('when the mail server refuses an address, then the log has its answer without the address', async () => {
  const smtp = await startSmtp({ mode: 'refuse' });
  onTestFinished(smtp.stop);
  const warn = vi.fn();
  const mailer = openMailer({ url: smtp.url, from: 'a@example.com', gameName: 'Game', log: { warn } });
  onTestFinished(() => mailer.close());
  await expect(mailer.sendCode(codeMail)).rejects.toMatchObject({ code: 'mail_unavailable' });
  const [fields] = warn.mock.calls[0] ?? [];
  expect(fields).toMatchObject({ why: 'EENVELOPE', response: 550, command: 'RCPT TO' });
  expect(JSON.stringify(fields)).not.toContain(codeMail.to);
});

test('when more mails wait than the queue holds, then the next one is refused immediately', async () => {
  const sockets: Socket[] = [];
  const mailer = await listen((socket) => void sockets.push(socket.on('error', () => {})));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  const waiting = Array.from({ length: 204 }, () => mailer.sendCode(codeMail));
  const oneMore = mailer.sendCode(codeMail);
  await expect(Promise.race([oneMore, ...waiting])).rejects.toMatchObject({ code: 'mail_unavailable' });
});

test('when a mail is written to a folder, then only its owner can read it', async () => {
  const folder = tempDir('outbox');
  const mailer = openMailer({ url: `outbox:${folder}`, from: 'a@example.com', gameName: 'Game', log });
  await mailer.sendCode(codeMail);
  mailer.close();
  const files = readdirSync(folder);
  expect(files.map((file) => statSync(join(folder, file)).mode & 0o777)).toEqual([0o600]);
});
