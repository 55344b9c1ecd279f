import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Refusal } from '../refusal.ts';
import type { AddressList } from '../security/addresses.ts';
import { randomId } from '../security/random-id.ts';
import { peerAddress } from './client-address.ts';
import { commonHeaders } from './headers.ts';
import { renderProblem } from './problem.ts';
import { responseInTurn } from './responses-in-turn.ts';
import { pickLanguage } from './texts/index.ts';

export interface MalformedParts {
  /** Called for every request, so that a reload takes effect at once. */
  readonly denied: () => AddressList;
  readonly observe: {
    malformed(fault: { address: string; reason: string; requestId: string }): void;
  };
}

const malformedVariants: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'headers',
  ERR_HTTP_REQUEST_TIMEOUT: 'slow',
};

/** Answers malformed HTTP with a problem too, after the pending responses of the connection. */
export function refuseMalformed(parts: MalformedParts, error: NodeJS.ErrnoException, socket: Duplex): void {
  const { bytesRead, remoteAddress } = socket as Socket;
  // Browsers pre-open connections. An unsolicited 400 would be read as the answer to the next request.
  if (bytesRead === 0 || error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const before = responseInTurn(socket);
  if (before?.req.complete) return void before.once('close', () => refuseMalformed(parts, error, socket));
  const address = peerAddress(remoteAddress);
  const id = randomId();
  parts.observe.malformed({ address, reason: error.code ?? 'unknown', requestId: id });

  const refusal = parts.denied().has(address)
    ? new Refusal('address_denied')
    : new Refusal('invalid_request', { variant: malformedVariants[error.code ?? ''] ?? 'http' });
  const { status, headers, body } = renderProblem(refusal, id, pickLanguage(undefined));
  const text = JSON.stringify(body);
  const lines = Object.entries({
    ...headers,
    'content-length': String(Buffer.byteLength(text)),
    ...commonHeaders(id),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  socket.end(
    [`HTTP/1.1 ${status} ${status === 403 ? 'Forbidden' : 'Bad Request'}`, ...lines, '', text].join('\r\n'),
  );
  // Do not keep the socket open for a peer that never reads.
  setTimeout(() => socket.destroy(), 1000).unref();
}
