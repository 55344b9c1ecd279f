import type { IncomingMessage } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { decodePart } from '../urls/host-list.ts';
import type { AllowedHosts } from './allowed-hosts.ts';

export interface OutgoingRequest {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  /** For POST; form-encoded unless the headers name another type. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly hosts: Pick<AllowedHosts, 'lookup' | 'refuseAddress'>;
  /** Called when the connection is open and nothing has been sent yet. */
  readonly mayStillSend: () => boolean;
  /** Returns this much of a longer answer, instead of treating it as lost. */
  readonly cutAnswerAt?: number;
}

/** `not_sent`: not a byte of the request was sent. `lost`: the request may have been executed. */
export type Reply =
  | { readonly kind: 'not_sent'; readonly why: string }
  | { readonly kind: 'lost'; readonly why: string }
  | { readonly kind: 'answered'; readonly status: number; readonly text: string };

const ANSWER_LIMIT = 64 * 1024;

/**
 * Sends one request over its own connection, without retries or redirects. Not with fetch, which retries on its own (after a 421)
 * and on dying connections: a deduction must never be sent twice.
 */
export async function sendOnce(outgoing: OutgoingRequest): Promise<Reply> {
  const { url, timeoutMs, mayStillSend } = outgoing;
  // Imported here because it also loads fetch, which commands that send nothing should not wait for.
  const { request } = await import('node:http');
  let tcp: Socket;
  try {
    tcp = dial(outgoing);
  } catch (error) {
    return { kind: 'not_sent', why: reasonOf(error) };
  }
  let socket = tcp;
  let timedOut: Error | undefined;
  const timer = setTimeout(() => {
    timedOut = new Error(`no answer within ${timeoutMs / 1000} s`);
    // After a plain close the kernel would go on for minutes to deliver what the peer has not acknowledged.
    if (tcp.connecting) tcp.destroy(timedOut);
    else tcp.resetAndDestroy();
    socket.destroy(timedOut);
  }, timeoutMs);
  try {
    await opened(tcp, 'connect');
    if (url.protocol === 'https:') {
      socket = secure(tcp, url);
      await opened(socket, 'secureConnect');
    }
  } catch (error) {
    clearTimeout(timer);
    tcp.destroy();
    return { kind: 'not_sent', why: reasonOf(timedOut ?? error) };
  }
  try {
    if (!mayStillSend()) return { kind: 'not_sent', why: 'it took too long to get here' };
    return await readAnswer(await sendRequest(request, socket, outgoing), outgoing);
  } catch (error) {
    // The error of a partial response says only that it was aborted.
    return { kind: 'lost', why: reasonOf(timedOut ?? error) };
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}

const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$/g, '');

function dial({ url, hosts }: OutgoingRequest): Socket {
  const host = hostOf(url);
  hosts.refuseAddress(host);
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  return connect({ host, port, lookup: hosts.lookup });
}

/** Wraps an open connection: one that still tries several addresses would replace its handle. */
function secure(tcp: Socket, url: URL): Socket {
  const host = hostOf(url);
  const socket = connectSecurely({ socket: tcp, host, ...(isIP(host) === 0 && { servername: host }) });
  tcp.on('error', (error) => socket.destroy(error));
  return socket;
}

function opened(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(event, resolve);
    socket.once('close', () => reject(new Error('closed before it was open')));
    // Keep the listener, so that a later socket error does not crash the process.
    socket.on('error', reject);
  });
}

function sendRequest(
  request: typeof import('node:http').request,
  socket: Socket,
  { url, method, body, headers }: OutgoingRequest,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sending = request({
      createConnection: () => socket,
      method,
      path: url.pathname + url.search,
      headers: {
        host: url.host,
        connection: 'close',
        accept: 'application/json',
        ...headers,
        ...(body !== undefined && {
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': Buffer.byteLength(body),
        }),
        ...headers,
      },
      ...(url.username !== '' && {
        auth: `${decodePart(url.username)}:${decodePart(url.password)}`,
      }),
    });
    sending.once('response', resolve);
    // Node reports a 101 by neither a response nor an error.
    sending.once('upgrade', () => reject(new Error('answered with a change of protocol')));
    sending.once('close', () => reject(new Error('closed without an answer')));
    sending.on('error', reject);
    sending.end(body);
  });
}

async function readAnswer(answer: IncomingMessage, { cutAnswerAt }: OutgoingRequest): Promise<Reply> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer) {
    chunks.push(chunk);
    length += chunk.length;
    if (cutAnswerAt !== undefined && length >= cutAnswerAt) break;
    if (length > ANSWER_LIMIT)
      return { kind: 'lost', why: `the answer is longer than ${ANSWER_LIMIT / 1024} KiB` };
  }
  // Streaming leaves out a character that was cut in two.
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, cutAnswerAt), {
    stream: cutAnswerAt !== undefined,
  });
  return { kind: 'answered', status: answer.statusCode ?? 0, text };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  return error.message || code || error.name;
}
