import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export type RawRequest = {
  port: number;
  host?: string;
  /** Sent unchanged, piece by piece. */
  data: string | Buffer | Array<string | Buffer>;
  /** Pause between pieces, to simulate slow senders. */
  pauseMs?: number;
  /** How long to listen if the server does not close. */
  deadlineMs?: number;
  /** Called with everything received so far; closes the connection when it returns true. */
  until?: (raw: string) => boolean;
};

export type RawAnswer = {
  /** 0 if the response does not look like HTTP. */
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
  /** Everything received, including further answers on the same connection. */
  raw: string;
  /** Whether the server ended the connection before the deadline. */
  closed: boolean;
  ms: number;
};

/** Sends raw bytes, for requests that no client library would send. */
export async function sendRaw(request: RawRequest): Promise<RawAnswer> {
  const { port, host = '127.0.0.1', data, pauseMs = 0, deadlineMs = 10_000, until } = request;
  const pieces = Array.isArray(data) ? data : [data];
  const started = performance.now();
  const received: Buffer[] = [];
  const socket = connect(port, host);
  const text = () => Buffer.concat(received).toString();
  const enough = new Promise<boolean>((resolve) => {
    socket.on('data', (chunk) => {
      received.push(Buffer.from(chunk));
      if (until?.(text())) resolve(false);
    });
  });
  const closed = new Promise<boolean>((resolve, reject) => {
    socket.once('end', () => resolve(true));
    socket.once('close', () => resolve(true));
    // A reset counts as closing; a refused connection is an error.
    socket.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNREFUSED' ? reject(error) : resolve(true),
    );
  });
  const timer = new AbortController();
  const deadline = sleep(deadlineMs, false, { signal: timer.signal }).catch(() => false);

  let listening = true;
  const sending = (async () => {
    for (const [index, piece] of pieces.entries()) {
      if (index > 0 && pauseMs > 0) await sleep(pauseMs);
      if (!listening || !socket.writable) return;
      socket.write(piece);
    }
  })();

  try {
    const didClose = await Promise.race([closed, enough, deadline]);
    const raw = text();
    return { ...parseAnswer(raw), raw, closed: didClose, ms: performance.now() - started };
  } finally {
    listening = false;
    timer.abort();
    socket.destroy();
    await sending;
  }
}

/** Reports whether one answer with a Content-Length has arrived in full. */
export function isWhole(raw: string): boolean {
  const { headers, body } = parseAnswer(raw);
  return Buffer.byteLength(body) >= Number(headers['content-length'] ?? Number.POSITIVE_INFINITY);
}

function parseAnswer(raw: string): Pick<RawAnswer, 'status' | 'headers' | 'body'> {
  const end = raw.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = (end === -1 ? raw : raw.slice(0, end)).split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return {
    status: Number(/^HTTP\/1\.[01] (\d{3})/.exec(statusLine)?.[1] ?? 0),
    headers: Object.fromEntries(headers),
    body: end === -1 ? '' : raw.slice(end + 4),
  };
}
