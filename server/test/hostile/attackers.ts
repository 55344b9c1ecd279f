import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface AttackParts {
  readonly port: number;
  readonly random: () => number;
  /** Nothing sent to an attacker may contain one of these. */
  readonly secrets: readonly string[];
}

const LONGEST_MS = 1500;
const login = (length: number) =>
  `POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n`;

/** What each attacker sends; the answers must concern no one else. */
const attacks: readonly ((socket: Socket, random: () => number) => Promise<unknown> | unknown)[] = [
  // One byte at a time, never the last.
  async (socket) => {
    for (const byte of 'GET /api/config HTTP/1.1\r\nHost: x\r\nX-Slow: yes') {
      if (socket.destroyed) return;
      socket.write(byte);
      await sleep(20);
    }
  },
  // Half a body, then disconnects.
  (socket) => socket.end(`${login(5000)}\r\n{"account":"hal`),
  (socket, random) => {
    socket.write(`${login(200)}\r\n{"account":`);
    setTimeout(() => socket.resetAndDestroy(), random() * 50);
  },
  // Request smuggling: two lengths, a length with chunks, an invalid length.
  (socket) =>
    socket.write(`${login(5)}Content-Length: 60\r\n\r\nxxxxxGET /api/bind HTTP/1.1\r\nHost: x\r\n\r\n`),
  (socket) =>
    socket.write(
      `${login(5)}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /api/bind HTTP/1.1\r\nHost: x\r\n\r\n`,
    ),
  (socket) => socket.write(`POST /api/check HTTP/1.1\r\nHost: x\r\nContent-Length: +5\r\n\r\nhello`),
  (socket) =>
    socket.write(
      'POST /api/check HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n0\r\n\r\n',
    ),
  (socket) => socket.write('POST /api/check HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n'),
  // Not HTTP at all.
  (socket, random) => socket.write(Buffer.from(Array.from({ length: 400 }, () => random() * 256))),
  (socket) => socket.write('GET / HTTP/9.9\r\n\r\n'),
  (socket) => socket.write(`GET /${'a'.repeat(70_000)} HTTP/1.1\r\nHost: x\r\n\r\n`),
  (socket) => socket.write(`GET / HTTP/1.1\r\nHost: x\r\n${'X-A: b\r\n'.repeat(5000)}\r\n`),
  (socket) => socket.write('GET /api/config HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n'),
  // Requests much and reads nothing.
  (socket) => {
    socket.pause();
    socket.write('GET /api/server/list HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(400));
  },
  // Disconnects before the answers arrive.
  (socket, random) => {
    socket.write('GET /api/config HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(60));
    setTimeout(() => socket.resetAndDestroy(), random() * 20);
  },
];

/** Opens one broken or slow connection. Reports if it received another client's data. */
export async function attack({ port, random, secrets }: AttackParts): Promise<string[]> {
  const socket = connect(port, '127.0.0.1');
  const received: Buffer[] = [];
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  socket.on('data', (piece) => received.push(Buffer.from(piece)));
  socket.on('error', () => {});
  const kind = Math.floor(random() * attacks.length);
  await attacks[kind]?.(socket, random);
  await Promise.race([closed, sleep(random() * LONGEST_MS)]);
  socket.destroy();
  const text = Buffer.concat(received).toString('latin1');
  const leaked = secrets.filter((secret) => text.includes(secret));
  return leaked.map((secret) => `attack ${kind} was sent ${secret.slice(0, 12)}…`);
}
