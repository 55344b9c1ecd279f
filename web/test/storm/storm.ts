import { connect } from 'node:net';

export interface StormOptions {
  readonly port: number;
  readonly perSecond: number;
  /** Number of /24 source blocks. */
  readonly blocks: number;
}

export interface StormResult {
  readonly sent: number;
  readonly seconds: number;
  readonly statuses: Readonly<Record<string, number>>;
}

const CONNECTIONS = 16;
const TICK_MS = 20;
/** Below the number of unanswered requests at which the service cuts a connection. */
const MAX_UNANSWERED = 100;

/** Sends registrations with guessed codes; one in ten has a forged solution. */
export function startStorm({ port, perSecond, blocks }: StormOptions) {
  const statuses: Record<string, number> = {};
  const started = performance.now();
  let sent = 0;
  let stopped = false;
  const lines = Array.from({ length: CONNECTIONS }, () => openLine());

  function openLine() {
    const line = { unanswered: 0, socket: connect(port, '127.0.0.1').setNoDelay() };
    let rest = '';
    line.socket.on('data', (piece) => {
      const text = rest + piece.toString('latin1');
      for (const [, status = ''] of text.matchAll(/HTTP\/1\.1 (\d{3}) /g)) {
        statuses[status] = (statuses[status] ?? 0) + 1;
        line.unanswered--;
      }
      // A status line may be split between chunks; a complete one must not be counted twice.
      rest = text.slice(-12).replace(/HTTP\/1\.1 \d{3} .*/s, '');
    });
    line.socket.on('error', () => {});
    line.socket.on('close', () => {
      if (!stopped) lines[lines.indexOf(line)] = openLine();
    });
    return line;
  }

  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - started) / 1000) * perSecond) - sent;
    for (let index = 0; index < due; index++) {
      const line = lines[sent % CONNECTIONS];
      sent++;
      if (!line || line.unanswered >= MAX_UNANSWERED) {
        statuses['not sent'] = (statuses['not sent'] ?? 0) + 1;
        continue;
      }
      line.unanswered++;
      line.socket.write(registration(sent, sent % blocks));
    }
  }, TICK_MS);

  return {
    stop(): StormResult {
      stopped = true;
      clearInterval(timer);
      for (const { socket } of lines) socket.destroy();
      return { sent, seconds: (performance.now() - started) / 1000, statuses };
    },
  };
}

function registration(serial: number, block: number): string {
  const body = JSON.stringify({
    account: `storm_${serial}`,
    password: 'Storm-of-the-century-1',
    email: `storm${serial}@example.com`,
    code: String(serial % 1_000_000).padStart(6, '0'),
  });
  const forged = {
    algorithm: 'SHA-256',
    challenge: 'f'.repeat(64),
    number: serial,
    salt: 'x',
    signature: 'y',
  };
  const solution =
    serial % 10 === 0
      ? `X-Challenge-Solution: ${Buffer.from(JSON.stringify(forged)).toString('base64')}\r\n`
      : '';
  const address = `10.${block >> 8}.${block & 255}.${1 + (serial % 250)}`;
  return `POST /api/register HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\n${solution}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}
