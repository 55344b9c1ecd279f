import { once } from 'node:events';
import { createServer, type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { brotliDecompress, unzip } from 'node:zlib';

/** A request and the old service's answer to it. */
export interface PassedExchange {
  /** `url` is path and query, `type` the content type of the body. */
  readonly request: { readonly url: string; readonly type: string; readonly body: Buffer };
  readonly answer: { readonly status: number; readonly body: Buffer };
}

export interface OldServiceProxyOptions {
  readonly host: string;
  readonly port: number;
  /** The old service. */
  readonly target: URL;
  /** Reports whether the exchange is wanted. The bodies of others are not copied. */
  readonly wants: (url: string) => boolean;
  /** Called after the client has its answer. */
  readonly passed: (exchange: PassedExchange) => void;
  /** Called instead of `passed` if a body was too long or cut off. */
  readonly unreadable: () => void;
}

const MAX_BODY = 64 * 1024;
const ANSWER_WITHIN_MS = 60_000;
const CLOSE_WITHIN_MS = 10_000;
/** Longer than a proxy in front reuses a connection, so that the proxy never uses one that is being closed. */
const KEEP_ALIVE_MS = 120_000;

const HOP_BY_HOP = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Passes every request to the old service and its answer back, and hands out copies of the wanted ones. */
export async function proxyOldService(options: OldServiceProxyOptions) {
  const handing = new Set<Promise<void>>();
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (incoming, outgoing) => {
    outgoing.once('close', () => !server.listening && server.closeIdleConnections());
    pass(options, incoming, outgoing, (copied) => {
      const handed = handOut(options, copied).finally(() => handing.delete(handed));
      handing.add(handed);
    });
  });
  server.listen(options.port, options.host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    /** Finishes the requests under way, and ends those that take longer than a few seconds. */
    async close() {
      const closed = once(server, 'close');
      server.close();
      const ending = setTimeout(() => server.closeAllConnections(), CLOSE_WITHIN_MS);
      await closed;
      clearTimeout(ending);
      await Promise.all(handing);
    },
  };
}

interface Copied {
  readonly url: string;
  readonly type: string;
  readonly request: Buffer | undefined;
  readonly status: number;
  readonly answer: Buffer | undefined;
  readonly encoding: string | undefined;
}

/** Hands out a copy, decompressed. */
async function handOut({ passed, unreadable }: OldServiceProxyOptions, copied: Copied): Promise<void> {
  const { url, type, request, status } = copied;
  const answer = await decompress(copied.answer, copied.encoding).catch(() => undefined);
  if (request === undefined || answer === undefined) unreadable();
  else passed({ request: { url, type, body: request }, answer: { status, body: answer } });
}

function pass(
  { target, wants }: OldServiceProxyOptions,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  copied: (copied: Copied) => void,
): void {
  const { url = '/', method, headers } = incoming;
  const isWanted = wants(url);
  const asked = isWanted ? copyOf(incoming) : undefined;
  const send = target.protocol === 'https:' ? requestHttps : requestHttp;
  const onward = send({
    host: target.hostname.replaceAll(/[[\]]/g, ''),
    port: target.port,
    method,
    path: url,
    headers: onwardHeaders(incoming),
    setHost: false,
    // Connections are not reused: a POST on one that the old service is closing would be lost.
    agent: false,
    insecureHTTPParser: true,
    timeout: ANSWER_WITHIN_MS,
  });

  /** Answers with an error if the old service gave no answer, and otherwise cuts the answer off as the old service did. */
  function giveUp(status: number): void {
    onward.destroy();
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(status, { 'content-type': 'text/plain' }).end();
  }
  onward.once('timeout', () => giveUp(504));
  onward.on('error', () => giveUp(502));
  onward.once('upgrade', () => giveUp(502));
  outgoing.once('close', () => onward.destroy());
  incoming.pipe(onward);

  onward.once('response', (answer) => {
    answer.on('error', () => giveUp(502));
    const { statusCode: status = 502, statusMessage } = answer;
    const answered = isWanted ? copyOf(answer) : undefined;
    try {
      outgoing.writeHead(status, statusMessage, endToEnd(answer.rawHeaders));
    } catch {
      // A header that HTTP does not allow.
      return giveUp(502);
    }
    answer.pipe(outgoing);
    if (!asked || !answered) return;
    outgoing.once('close', () =>
      copied({
        url,
        type: headers['content-type'] ?? '',
        request: asked(),
        status,
        answer: answered(),
        encoding: answer.headers['content-encoding'],
      }),
    );
  });
}

/** Copies a body while it is passed on. Returns undefined for one that is too long or incomplete. */
function copyOf(message: IncomingMessage): () => Buffer | undefined {
  const chunks: Buffer[] = [];
  let length = 0;
  message.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= MAX_BODY) chunks.push(chunk);
    else chunks.length = 0;
  });
  return () => (message.complete && length <= MAX_BODY ? Buffer.concat(chunks) : undefined);
}

async function decompress(body: Buffer | undefined, encoding = 'identity'): Promise<Buffer | undefined> {
  if (body === undefined || body.length === 0 || encoding === 'identity') return body;
  const limit = { maxOutputLength: MAX_BODY };
  return encoding === 'br' ? promisify(brotliDecompress)(body, limit) : promisify(unzip)(body, limit);
}

/** Returns the headers unchanged, without those of the connection, as a flat list of names and values. */
function endToEnd(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, index) => !HOP_BY_HOP.has((rawHeaders[index & ~1] ?? '').toLowerCase()));
}

/** Adds the client to `X-Forwarded-For`, as every proxy does. */
function onwardHeaders({ rawHeaders, headers, socket }: IncomingMessage): string[] {
  const kept = endToEnd(rawHeaders);
  const others = kept.filter((_, index) => (kept[index & ~1] ?? '').toLowerCase() !== 'x-forwarded-for');
  const forwarded = [headers['x-forwarded-for'], socket.remoteAddress].filter(Boolean).join(', ');
  const chunked = headers['transfer-encoding'] === undefined ? [] : ['Transfer-Encoding', 'chunked'];
  return [...others, 'X-Forwarded-For', forwarded, 'Connection', 'close', ...chunked];
}
